# Instructions one a line in, one mutation of each out: a modifier left out, said twice, moved, exchanged or put in; an operand left out, said twice, moved or
# exchanged. Of `seed`, by a generator of its own, so that every awk gives the same.
function draw(n) { state = (state * 69069 + 12345) % 2147483648; return int(state / 65536) % n }
function split_operands(text, out,    i, c, depth, n, part) {
    n = 0; part = ""; depth = 0
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c ~ /[{[(]/) depth++
        if (c ~ /[]})]/) depth--
        if (c == "," && depth == 0) { out[++n] = part; part = "" } else if (c != " " || part != "") part = part c
    }
    if (part != "") out[++n] = part
    return n
}
function change(list, n, pool, pools, least,    how, at, to, i, held) {
    how = draw(5); at = least + draw(n - least + 1)
    if (how == 0 && n > least) { for (i = at; i < n; i++) list[i] = list[i + 1]; return n - 1 }
    if (how == 1) { held = list[at]; for (i = n; i > at; i--) list[i + 1] = list[i]; list[at + 1] = held; return n + 1 }
    if (how == 2) { to = least + draw(n - least + 1); held = list[at]; list[at] = list[to]; list[to] = held; return n }
    if (how == 3) { for (i = n; i >= at; i--) list[i + 1] = list[i]; list[at] = pool[1 + draw(pools)]; return n + 1 }
    list[at] = pool[1 + draw(pools)]
    return n
}
BEGIN {
    words = split("rn rz rm ftz sat relu satfinite abs approx full lo hi wide cc sync aligned idx and or xor popc all any noftz wrap clamp eq lt ge add inc exch cas min " \
        "max v2 v4 weak relaxed acquire release acq_rel volatile mmio cta cluster gpu sys global shared shared::cta shared::cluster local const ca cg cs nc " \
        "L1::no_allocate L1::evict_last L2::cache_hint L2::128B L2 L1 to red arrive wait b4e trans x2 async bulk tensor 2d 3d a2d b p trap base level tile pack init " \
        "noinc expect_tx parity pred b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64 bf16 f16x2 bf16x2 tf32 u16x2 e4m3x2", word, " ")
    operands = split("p1 h1 r1 d1 q1 f1 i1 e1 l1 g1 s1 x1 b1 0 1 -1 7 300 1.0 _ sv gv pp %tid.x WARP_SZ [r1] [d1] [h1] [sv] [gv+4] {r1,r2} {r1} r1|p1", operand, " ")
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,;:_[]{}|!+-% ABCDEFGHIJKLMNOPQRSTUVWXYZ"
}
{
    state = seed * 7919 + 17 # and of the line: other lines change nothing
    for (i = 1; i <= length($0); i++) state = (state * 33 + index(letters, substr($0, i, 1))) % 2147483648
    sub(/;[ ]*$/, "")
    at = index($0, " ")
    name = at ? substr($0, 1, at - 1) : $0
    n = split(name, part, ".")
    m = split_operands(at ? substr($0, at + 1) : "", given)
    if (draw(3) && n > 1) n = change(part, n, word, words, 2)
    else if (m) m = change(given, m, operand, operands, 1)
    line = part[1]
    for (i = 2; i <= n; i++) line = line "." part[i]
    for (i = 1; i <= m; i++) line = line (i > 1 ? ", " : " ") given[i]
    print line ";"
}
