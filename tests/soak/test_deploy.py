"""The container recipe, followed in an empty Debian: what it installs serves a program at the first try."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.soak


@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("debootstrap"), reason="needs root and debootstrap")
def test_the_container_recipe_makes_a_server_that_draws():
    ran = subprocess.run([ROOT / "tools/fresh-server"], capture_output=True, text=True, timeout=1800)
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert "drawn by llvmpipe" in ran.stdout and "a wrong token is refused in words" in ran.stdout
