// Uniform playouts of Othello. The rules are the squares in play, whether the payoff is the disc difference, and whether the
// winner owns the empty squares. A position is the discs of the player to move, those of the other, and whether the payoff is
// that of the player to move. Bit 0 is a1, bit 8 is a2.

#define POSITION_WORDS 3

static const u64 INNER_FILES = 0x7e7e7e7e7e7e7e7eull;

// The squares reached along one direction and its opposite, over unbroken lines of `between` from a disc of `mine`.
template <int STEP> HERE u64 reached(u64 mine, u64 between) {
    u64 on = between & mine << STEP;
    u64 back = between & mine >> STEP;
    on |= between & on << STEP;
    back |= between & back >> STEP;
    u64 pairs = between & between << STEP;
    u64 pairs_back = pairs >> STEP;
    on |= pairs & on << 2 * STEP;
    back |= pairs_back & back >> 2 * STEP;
    on |= pairs & on << 2 * STEP;
    back |= pairs_back & back >> 2 * STEP;
    return on << STEP | back >> STEP;
}

HERE u64 moves_of(u64 playable, u64 mine, u64 theirs) {
    u64 inner = theirs & INNER_FILES;
    u64 all = reached<1>(mine, inner) | reached<7>(mine, inner) | reached<8>(mine, theirs) | reached<9>(mine, inner);
    return all & playable & ~(mine | theirs);
}

// The discs of `theirs` between the beginning of a line, which leads to higher bits, and the first of `mine` on it. The carry
// runs along the line and stops at its first other square.
HERE u64 bracketed(u64 mine, u64 theirs, u64 line) {
    u64 end = ((theirs | ~line) + 1) & mine & line;
    return (end - (end != 0)) & line;
}

// The discs that turn over on the four lines from a square to higher bits.
HERE u64 turned_upwards(u64 mine, u64 theirs, u32 square) {
    u32 file = square % 8;
    u64 west = ((1u << file) - 1) * 0x0101010101010101ull;
    u64 east = (0xfeu << file & 0xffu) * 0x0101010101010101ull;
    return bracketed(mine, theirs, 0xfeull << square & 0xffull << (square & 56))
        | bracketed(mine, theirs, 0x0102040810204080ull << square & west)
        | bracketed(mine, theirs, 0x0101010101010100ull << square)
        | bracketed(mine, theirs, 0x8040201008040200ull << square & east);
}

// The lines to lower bits are those of the board in reverse.
HERE u64 turned(u64 mine, u64 theirs, u32 square) {
    u64 down = turned_upwards(REVERSED64(mine), REVERSED64(theirs), 63 - square);
    return turned_upwards(mine, theirs, square) | REVERSED64(down);
}

// The place of the set bit with this rank, counted from 0. The mask has more bits than that.
HERE u32 nth_set_bit(u64 mask, u32 rank) {
    u32 word = static_cast<u32>(mask), place = 0;
    u32 count = POPCOUNT32(word);
    if (rank >= count) {
        rank -= count;
        word = static_cast<u32>(mask >> 32);
        place = 32;
    }
    for (u32 width = 16; width > 0; width /= 2) {
        count = POPCOUNT32(word & ((1u << width) - 1));
        if (rank >= count) {
            rank -= count;
            word >>= width;
            place += width;
        }
    }
    return place;
}

HERE int sign_of(int value) {
    return (value > 0) - (value < 0);
}

HERE End play(const u64 *rules, const u64 *position, Draws &draws) {
    u64 playable = rules[0], mine = position[0], theirs = position[1];
    End end;
    end.plies = 0;
    for (;;) {
        u64 moves = moves_of(playable, mine, theirs);
        if (moves == 0 && moves_of(playable, theirs, mine) == 0) break;
        u32 pick = below(draws, POPCOUNT64(moves));
        if (moves != 0) {
            u32 square = nth_set_bit(moves, pick);
            u64 flips = turned(mine, theirs, square);
            mine |= flips | 1ull << square;
            theirs &= ~flips;
        }
        u64 mover = mine;
        mine = theirs;
        theirs = mover;
        end.plies++;
    }
    int discs = static_cast<int>(POPCOUNT64(mine)) - static_cast<int>(POPCOUNT64(theirs));
    if (rules[1] == 0) {
        discs = sign_of(discs);
    } else if (rules[2] != 0) {
        discs += sign_of(discs) * static_cast<int>(POPCOUNT64(playable & ~(mine | theirs)));
    }
    bool is_to_move = end.plies % 2 == 0;
    end.payoff = is_to_move == (position[2] != 0) ? discs : -discs;
    return end;
}
