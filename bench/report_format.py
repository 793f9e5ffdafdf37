"""How numbers and tables look in docs/benchmarks.md; see report.py."""


def time_text(microseconds):
    if microseconds >= 1e6:
        return f"{microseconds / 1e6:.3g} s"
    if microseconds >= 1e3:
        return f"{microseconds / 1e3:.3g} ms"
    return f"{microseconds:.3g} µs" if microseconds >= 1 else f"{1e3 * microseconds:.3g} ns"


def error_text(error):
    return "< 1e-16" if error < 1e-16 else f"{error:.0e}"


def ratio_text(measured, asked):
    return f"{measured / asked:.2g}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
