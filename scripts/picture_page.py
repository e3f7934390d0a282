"""Take the pictures of the page that docs/serve.md shows.

    python scripts/picture_page.py

Needs ``morphtree[serve,browser]`` and a chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs"


class Picture(NamedTuple):
    """A picture: its file, the size of the window, the theme, the word, and what is turned on."""

    name: str
    width: int
    height: int
    theme: str
    word: str
    categories: bool = False


PICTURES = (
    Picture("serve-light.png", 1180, 980, "light", "unlockable"),
    Picture("serve-dark.png", 1180, 980, "dark", "unlockable", True),
    Picture("serve-phone.png", 390, 900, "light", "unhappiness"),
)


def take(page: Page, address: str, picture: Picture) -> None:
    """Look at a word and save what is seen."""
    page.goto(f"{address}?word={picture.word}")
    page.get_by_label("Categories").set_checked(picture.categories)
    page.wait_for_selector(".mt-category" if picture.categories else "#tree svg")
    page.wait_for_selector("#why[aria-busy=false]")
    page.wait_for_selector("#why .reasons li")
    page.screenshot(path=FOLDER / picture.name, animations="disabled")


def main() -> None:
    """Serve, look, save."""
    chromium = shutil.which("chromium") or sys.exit("install chromium")
    command = [sys.executable, "-c", "from morphtree.cli.main import main; main()", "serve"]
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        address = service.stdout.readline().split()[1]
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=chromium, args=arguments)
            for picture in PICTURES:
                size = {"width": picture.width, "height": picture.height}
                theme = "dark" if picture.theme == "dark" else "light"
                page = browser.new_page(viewport=size, color_scheme=theme)  # type: ignore[arg-type]
                take(page, address, picture)
                page.close()
            browser.close()
        service.terminate()


if __name__ == "__main__":
    main()
