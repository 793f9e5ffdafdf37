#!/usr/bin/env python3
"""Prints libvolcontact/src/math/quadrature/gauss_rules.h: Gauss-Kronrod and Gauss-Patterson rules on [-1, 1].

The nodes that are added to n given ones, which are the roots of p, are the roots of the polynomial E of
degree n+1 that is orthogonal to x^k, k <= n, under the weight p: Kronrod's for p the Legendre polynomial P_n,
Patterson's for p the product of all that were added before. The weights follow from exactness on Legendre
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


def added(p):
    """The polynomial E of the nodes added to the roots of p."""
    n = len(p) - 1
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
    return e


def kronrod(n):
    p = legendre(n)
    gauss = real_roots(p)
    nodes = sorted(gauss + real_roots(added(p)))
    wk = weights(nodes)
    wg = dict(zip([mp.nstr(g, 30) for g in gauss], weights(gauss)))
    return nodes, wk, [wg.get(mp.nstr(x, 30), mp.mpf(0)) for x in nodes]


def patterson(count):
    """Nodes in the order in which they are added to the middle, and the weights of each rule."""
    nodes, p, rules = [mp.mpf(0)], legendre(1), []
    # The first extension is the Gauss rule of three nodes.
    extension = [mp.mpf(-3) / 5, mp.mpf(0), mp.mpf(1)]
    for _ in range(count):
        rules.append(weights(nodes))
        nodes = nodes + real_roots(extension)
        p = polymul(p, extension)
        extension = added(p)
    rules.append(weights(nodes))
    return nodes, rules


def polymul(p, q):
    r = [mp.mpf(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            r[i + j] += a * b
    return r


def array(name, values):
    lines = ["    " + mp.nstr(v if abs(v) > mp.mpf(10) ** -40 else mp.mpf(0), 20) + "," for v in values]
    return "inline constexpr double %s[%d] = {\n%s\n};" % (name, len(values), "\n".join(lines))


print("// Gauss-Kronrod and Gauss-Patterson rules on [-1, 1]; written by tools/gauss_rules.py, do not edit.")
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
nested_nodes, nested_weights = patterson(4)
print(array("kPattersonNodes", nested_nodes))
for w in nested_weights:
    print(array("kPattersonWeights%d" % len(w), w))
print()
print("}  // namespace internal\n")
print("/// Kronrod rules by rising order; the embedded Gauss rules have 4, 7, 10 and 15 nodes.")
print("inline constexpr KronrodRule kKronrodRules[%d] = {" % len(names))
for k in names:
    print("    {%d, internal::kKronrodNodes%d, internal::kKronrodWeights%d, internal::kKronrodGauss%d}," % (k, k, k, k))
print("};\n")
print("/// Patterson's rules of 1, 3, 7, 15 and 31 nodes, exact up to degree 1, 5, 11, 23 and 47: rule r takes the first\n"
      "/// kPattersonSizes[r] of the nodes.")
print("inline constexpr int kPattersonCount = %d;" % len(nested_weights))
print("inline constexpr const double* kPattersonNodes = internal::kPattersonNodes;")
print("inline constexpr int kPattersonSizes[kPattersonCount] = {%s};" % ", ".join(str(len(w)) for w in nested_weights))
print("inline constexpr const double* kPattersonWeights[kPattersonCount] = {")
for w in nested_weights:
    print("    internal::kPattersonWeights%d," % len(w))
print("};\n\n}  // namespace volcontact")
