"""What each part of the English model is worth: models without it, on the test part.

    python experiments/english_ablation.py [--every 3] [--folder build/ablation]

Trains the held-out build without each group of features, without silver words, without the
complexity classifier and with the paper's features, on every so manieth word, and compares them
with one that lacks nothing. Writes experiments/results/english-groups.json; twenty minutes on two
cores. A model that is in the folder is not trained again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "make_english.py"
GROUPS = "changes", "derivations", "letters", "lexicon", "meaning", "other", "respelled"
VARIANTS: dict[str, tuple[str, ...]] = {
    "full": (),
    "without the complexity classifier": ("--no-classifier",),
    "without silver words": ("--no-silver",),
    "paper's features": ("--paper",),
    **{f"without {group}": ("--without", f"treebank {group}") for group in GROUPS},
}


def main() -> None:
    """Train what is missing, then compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", default="3", help="train on every so manieth word")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "ablation")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    models = {
        name: options.folder / f"{name.replace(' ', '-').replace(chr(39), '')}.model"
        for name in VARIANTS
    }
    for name, path in models.items():
        if not path.exists():
            print(name, flush=True)
            run(SCRIPT, "--build", "held-out", "--every", options.every, "--held-out", str(path),
                *VARIANTS[name])  # fmt: skip
    others = [f"{name}={path}" for name, path in models.items() if name != "full"]
    run(
        Path(__file__).parent / "english.py", "--models-only", "--model", str(models["full"]),
        "--parts", "test", "--more", *others, "-o",
        str(Path(__file__).parent / "results" / "english-groups.json"),
    )  # fmt: skip


def run(script: Path, *arguments: str) -> None:
    """Run a script of the repository."""
    subprocess.run([sys.executable, str(script), *arguments], check=True)


if __name__ == "__main__":
    main()
