// Uniform playouts of Othello. The rules are the squares in play, whether the payoff is the disc difference, and whether the
// winner owns the empty squares. A position is the discs of the player to move, those of the other, and whether the payoff is
// that of the player to move. Bit 0 is a1, bit 8 is a2.
//
// A GPU reverses the bits of a word on a unit that is otherwise idle. So all lines are followed to higher bits only: on the
// board, and on the board in reverse.

#define POSITION_WORDS 3

static const u64 INNER_FILES = 0x7e7e7e7e7e7e7e7eull;

// The squares behind a square on its four lines to higher bits: along the row, the diagonals and the file.
struct Lines {
    u64 row, falling, file, rising;
};

struct alignas(32) AllLines {
    Lines from[64];

    ON_GPU constexpr AllLines() : from() {
        for (u32 square = 0; square < 64; square++) {
            u32 file = square % 8;
            u64 west = ((1u << file) - 1) * 0x0101010101010101ull;
            u64 east = (0xfeu << file & 0xffu) * 0x0101010101010101ull;
            from[square].row = 0xfeull << square & 0xffull << (square & 56);
            from[square].falling = 0x0102040810204080ull << square & west;
            from[square].file = 0x0101010101010100ull << square;
            from[square].rising = 0x8040201008040200ull << square & east;
        }
    }
};

static TABLE const AllLines LINES;

// The discs of the other player that follow a disc of the player to move without a gap, by the line that leads to them, and
// the squares behind them.
struct Runs {
    Lines discs;
    u64 ends;
};

template <int STEP> HERE u64 run(u64 mine, u64 theirs) {
    u64 discs = theirs & mine << STEP;
    discs |= theirs & discs << STEP;
    u64 pairs = theirs & theirs << STEP;
    discs |= pairs & discs << 2 * STEP;
    discs |= pairs & discs << 2 * STEP;
    return discs;
}

// `inner` are the discs of `theirs` on the inner files. In a row, an addition carries along them and clears them.
HERE Runs runs_of(u64 mine, u64 theirs, u64 inner) {
    Runs runs;
    u64 carried = inner + (inner & mine << 1);
    runs.discs.row = inner & ~carried;
    runs.discs.falling = run<7>(mine, inner);
    runs.discs.file = run<8>(mine, theirs);
    runs.discs.rising = run<9>(mine, inner);
    runs.ends = (carried & ~inner) | runs.discs.falling << 7 | runs.discs.file << 8 | runs.discs.rising << 9;
    return runs;
}

// The discs at the beginning of a line. An addition carries along them.
HERE u64 first_of(u64 discs, u64 line) {
    u64 on = discs | ~line;
    return on & ~(on + 1) & line;
}

// The discs that turn over behind a square, on the lines to higher bits. The runs are those of the board in reverse: they lead
// to the square, and begin at a disc of the player to move, so what lies behind a run need not be looked at.
HERE u64 turned(const Lines &runs, u32 square) {
    Lines lines = LINES.from[square];
    return first_of(REVERSED64(runs.row), lines.row) | first_of(REVERSED64(runs.falling), lines.falling)
        | first_of(REVERSED64(runs.file), lines.file) | first_of(REVERSED64(runs.rising), lines.rising);
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
    bool has_passed = false;
    End end;
    // The second pass in a row, which ends the game, is no ply.
    for (end.plies = 0;; end.plies++) {
        // The inner discs go through a reversal, because the compiler computes a mask again for each use.
        u64 mine_back = REVERSED64(mine), theirs_back = REVERSED64(theirs);
        u64 inner = REVERSED64(theirs_back & INNER_FILES), inner_back = REVERSED64(theirs & INNER_FILES);
        Runs runs = runs_of(mine, theirs, inner), back = runs_of(mine_back, theirs_back, inner_back);
        u64 moves = (runs.ends | REVERSED64(back.ends)) & playable & ~(mine | theirs);
        bool passes = moves == 0;
        if (passes && has_passed) break;
        has_passed = passes;
        u32 pick = below(draws, POPCOUNT64(moves));
        if (!passes) {
            u32 square = nth_set_bit(moves, pick);
            u64 flips = turned(back.discs, square) | REVERSED64(turned(runs.discs, 63 - square));
            mine |= flips | 1ull << square;
            theirs &= ~flips;
        }
        u64 mover = mine;
        mine = theirs;
        theirs = mover;
    }
    end.plies--;
    // The pass that is no ply has changed sides.
    int discs = static_cast<int>(POPCOUNT64(theirs)) - static_cast<int>(POPCOUNT64(mine));
    if (rules[1] == 0) {
        discs = sign_of(discs);
    } else if (rules[2] != 0) {
        discs += sign_of(discs) * static_cast<int>(POPCOUNT64(playable & ~(mine | theirs)));
    }
    bool is_to_move = end.plies % 2 == 0;
    end.payoff = is_to_move == (position[2] != 0) ? discs : -discs;
    return end;
}
