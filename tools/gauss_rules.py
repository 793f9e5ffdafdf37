#!/usr/bin/env python3
"""Prints libvolcontact/src/math/gauss_rules.h: Gauss-Legendre and Gauss-Kronrod rules on [-1, 1].

Kronrod's added nodes are the roots of the Stieltjes polynomial E of degree n+1, found from its
orthogonality to x^k, k <= n, under the weight P_n; the weights follow from exactness on Legendre
polynomials. Everything is computed with 60 digits.
"""
import mpmath as mp

mp.mp.dps = 60


def moments_times(p, q):
    """Integral over [-1, 1] of the product of two polynomials given by ascending coefficients."""
    total = mp.mpf(0)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            if (i + j) % 2 == 0:
                total += a * b * mp.mpf(2) / (i + j + 1)
    return total


def legendre(n):
    p, q = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    if n == 0:
        return p
    for k in range(1, n):
        r = [mp.mpf(0)] + [c * (2 * k + 1) / (k + 1) for c in q]
        for i, c in enumerate(p):
            r[i] -= c * k / (k + 1)
        p, q = q, r
    return q


def real_roots(p):
    return sorted(mp.re(r) for r in mp.polyroots(list(reversed(p)), maxsteps=500, extraprec=400))


def weights(nodes):
    n = len(nodes)
    A = mp.matrix(n, n)
    b = mp.matrix(n, 1)
    b[0] = 2
    for k in range(n):
        for i, x in enumerate(nodes):
            A[k, i] = mp.legendre(k, x)
    return list(mp.lu_solve(A, b))


def kronrod(n):
    p = legendre(n)
    m = n + 1
    A = mp.matrix(m, m)
    b = mp.matrix(m, 1)
    for k in range(m):
        xk = [mp.mpf(0)] * k + [mp.mpf(1)]
        for j in range(m):
            xj = [mp.mpf(0)] * j + [mp.mpf(1)]
            A[k, j] = moments_times(p, polymul(xk, xj))
        b[k] = -moments_times(p, polymul(xk, [mp.mpf(0)] * m + [mp.mpf(1)]))
    # The system is singular in the parity that drops out; E has the parity of n + 1.
    idx = [j for j in range(m) if (j - m) % 2 == 0]
    rows = [k for k in range(m) if (k + n + m) % 2 == 0]
    rows = rows[:len(idx)]
    S = mp.matrix(len(idx), len(idx))
    t = mp.matrix(len(idx), 1)
    for r, k in enumerate(rows):
        for s, j in enumerate(idx):
            S[r, s] = A[k, j]
        t[r] = b[k]
    sol = mp.lu_solve(S, t)
    e = [mp.mpf(0)] * m + [mp.mpf(1)]
    for s, j in enumerate(idx):
        e[j] = sol[s]
    gauss = real_roots(p)
    nodes = sorted(gauss + real_roots(e))
    wk = weights(nodes)
    wg = dict(zip([mp.nstr(g, 30) for g in gauss], weights(gauss)))
    return nodes, wk, [wg.get(mp.nstr(x, 30), mp.mpf(0)) for x in nodes]


def polymul(p, q):
    r = [mp.mpf(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            r[i + j] += a * b
    return r


def array(name, values):
    lines = ["    " + mp.nstr(v if abs(v) > mp.mpf(10) ** -40 else mp.mpf(0), 20) + "," for v in values]
    return "inline constexpr double %s[%d] = {\n%s\n};" % (name, len(values), "\n".join(lines))


print("// Gauss-Kronrod rules on [-1, 1]; written by tools/gauss_rules.py, do not edit.")
print("#pragma once\n\nnamespace volcontact {\n")
print("/// A pair of nested rules: `weights` is Kronrod's, `gauss` the embedded Gauss rule's (zero at the\n"
      "/// nodes it lacks).")
print("struct KronrodRule {\n  int size;\n  const double* nodes;\n  const double* weights;\n  const double* gauss;\n};\n")
print("namespace internal {\n")
names = []
for n in (4, 7, 10, 15):
    nodes, wk, wg = kronrod(n)
    k = 2 * n + 1
    names.append(k)
    print(array("kKronrodNodes%d" % k, nodes))
    print(array("kKronrodWeights%d" % k, wk))
    print(array("kKronrodGauss%d" % k, wg))
    print()
print("}  // namespace internal\n")
print("/// Kronrod rules by rising order; the embedded Gauss rules have 4, 7, 10 and 15 nodes.")
print("inline constexpr KronrodRule kKronrodRules[%d] = {" % len(names))
for k in names:
    print("    {%d, internal::kKronrodNodes%d, internal::kKronrodWeights%d, internal::kKronrodGauss%d}," % (k, k, k, k))
print("};\n\n}  // namespace volcontact")
