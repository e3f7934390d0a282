"""How Sphinx builds these pages: ``sphinx-build -W docs build/docs``."""

from __future__ import annotations

import re
from importlib.metadata import version as installed
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

project = "morphtree"
author = "The morphtree authors"
copyright = author
release = version = installed("morphtree")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_click"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
highlight_language = "none"
lexers["derivation"] = TextLexer()

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
add_module_names = False

html_theme = "furo"
html_title = f"morphtree {release}"
html_static_path = ["_static"]
html_css_files = ["morphtree.css"]
html_math_renderer = "mathml"
html_show_sphinx = False
html_show_copyright = False


def mathml(text: str, as_block: bool = False) -> str:
    """Write MathML, which browsers draw by themselves: no script, no network."""
    bar = r"<mo[^>]*>\|</mo>"  # of an absolute value; browsers would put blanks around it
    return re.sub(bar, '<mo lspace="0" rspace="0">|</mo>', tex2mathml(text, as_block=as_block))


def inline_math(writer: HTML5Translator, node: nodes.math) -> None:
    """Write an equation in the text."""
    writer.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def block_math(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write an equation on a line of its own."""
    writer.body.append(f'<div class="math">{mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Name the renderer of equations."""
    app.add_html_math_renderer("mathml", (inline_math, None), (block_math, None))
