"""CUDA cells and graded labs in a notebook: `%load_ext fencepost`."""
from .kit import Kit, KitError

__all__ = ["Kit", "KitError", "load_ipython_extension"]


def load_ipython_extension(shell):
    """Called by `%load_ext fencepost`: finds the kit, builds it where it is not built, and adds the magics."""
    from .magics import Magics
    shell.register_magics(Magics(shell, Kit.find()))
