"""The table that says on what machine the benchmarks ran, and when; see report.py."""

import pathlib
import platform

from report_format import table


def machine_section(results):
    context = results.context
    model = platform.processor() or platform.machine()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines()
                 if line.startswith("model name")]
        model = names[0] if names else model
    load = context.get("load_avg") or [float("nan")]
    return table(("", ""), [
        ("date", context["date"]),
        ("compiler", context.get("compiler", "?")),
        ("build", context.get("build", "?")),
        ("CPU", f"{model}, {context['mhz_per_cpu']} MHz"),
        ("cores", context["num_cpus"]),
        ("load average at the start", f"{load[0]:.2f}"),
    ])
