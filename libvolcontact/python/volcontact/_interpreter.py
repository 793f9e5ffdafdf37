"""Which interpreter of the process this is."""

from __future__ import annotations

import ctypes


def require_main() -> None:
    """Raises ImportError in a subinterpreter, where loading the compiled module would wait for ever."""
    ids = []
    for name in ("PyInterpreterState_Get", "PyInterpreterState_Main"):
        function = ctypes.PYFUNCTYPE(ctypes.c_void_p)((name, ctypes.pythonapi))
        ids.append(function())
    if ids[0] != ids[1]:
        raise ImportError("volcontact cannot be imported in a subinterpreter; import it in the main interpreter, "
                          "or in a process of its own (multiprocessing)")
