// Playouts of Calculation by one of three policies. The rules are the number of piles, whether only the first empty pile may
// be chosen, whether going up takes no turn, the policy, and the payoff for each number of cards up. A position is the words
// of Position::words: the foundations, the stock's running sums, the tops, the hand, and the links.

#define POSITION_WORDS 12

static const u64 UNIFORM = 0, WASTE_FIRST = 2;
static const u32 DOWN = 4, WASTE = 12, PAYOFFS = 4;
static const u64 HIGH_BITS = 0x8080808080808080ull, ONES = 0x0101010101010101ull;

struct Table {
    u64 foundations;
    u64 sums[2];
    u64 tops;
    u32 hand, copy, up;
};

// The card under the card in a slot, for each thread of a block: the memory of a thread alone would be written through to the
// whole GPU's.
OF_BLOCK unsigned char links[56][THREADS];

// The foundations that want the card in a slot; none if it is slot 0, no card.
HERE u32 wanting(const Table &table, u32 slot) {
    return static_cast<u32>(table.foundations >> (slot & ~3u)) & 15;
}

HERE u32 top_of(const Table &table, u32 pile) {
    return static_cast<u32>(table.tops >> 8 * pile) & 0xff;
}

HERE void set_top(Table &table, u32 pile, u32 slot) {
    table.tops = (table.tops & ~(0xffull << 8 * pile)) | static_cast<u64>(slot) << 8 * pile;
}

// Puts the card in a slot on a foundation that wants it.
HERE void raise(Table &table, u32 foundation, u32 slot) {
    u32 rank = slot & ~3u, highest = static_cast<u32>(table.foundations >> 60) * 4;
    u32 next = rank + 4 * (foundation + 1);
    if (rank == highest) {
        next = 56;
    } else if (next > highest) {
        next -= highest;
    }
    table.foundations ^= 1ull << (rank + foundation) | 1ull << (next + foundation);
    table.up++;
}

// The foundations that want the tops: bit 4·pile + foundation.
HERE u32 offers_of(const Table &table, u32 piles) {
    u32 offers = 0;
    for (u32 pile = 0; pile < piles; pile++) offers |= wanting(table, top_of(table, pile)) << 4 * pile;
    return offers;
}

// The piles open to the card in hand.
HERE u32 open_piles(const Table &table, u32 piles, bool merges_empty) {
    u32 open = (1u << piles) - 1;
    bool has_empty = false;
    for (u32 pile = 0; pile < piles; pile++) {
        if (top_of(table, pile) != 0) continue;
        if (merges_empty && has_empty) open &= ~(1u << pile);
        has_empty = true;
    }
    return open;
}

HERE void apply(Table &table, u32 code) {
    bool is_pile = code >= WASTE;
    u32 pile = (code - (is_pile ? WASTE : DOWN)) / (is_pile ? 4 : 1);
    if (code >= DOWN && !is_pile) {
        u32 slot = table.hand + table.copy;
        links[slot][THREAD] = static_cast<unsigned char>(top_of(table, pile));
        set_top(table, pile, slot);
    } else {
        u32 slot = is_pile ? top_of(table, pile) : table.hand;
        raise(table, code % 4, slot);
        if (is_pile) set_top(table, pile, links[slot][THREAD]);
    }
    if (!is_pile) table.hand = 0;
}

// The cards of the stock up to a rank, counted from 0. Two words by an index would be in slow memory.
HERE u32 sum_of(const Table &table, u32 rank) {
    return static_cast<u32>((rank < 8 ? table.sums[0] : table.sums[1]) >> rank % 8 * 8) & 0xff;
}

// Turns the card on which a pick falls, ace first.
HERE void turn_card(Table &table, u32 pick) {
    u64 picks = pick * ONES | HIGH_BITS;
    u32 passed = POPCOUNT64((picks - table.sums[0]) & HIGH_BITS) + POPCOUNT64((picks - table.sums[1]) & HIGH_BITS);
    u32 below_it = passed == 0 ? 0 : sum_of(table, passed - 1);
    u32 up_to_it = sum_of(table, passed);
    table.hand = 4 * (passed + 1);
    table.copy = up_to_it - below_it - 1;
    if (passed < 8) {
        table.sums[0] -= ONES << 8 * passed;
        table.sums[1] -= ONES;
    } else {
        table.sums[1] -= ONES << 8 * (passed - 8);
    }
}

// The place of the set bit with this rank, counted from 0.
HERE u32 nth_set_bit(u64 mask, u32 rank) {
    for (; rank > 0; rank--) mask &= mask - 1;
    return POPCOUNT64((mask & (~mask + 1)) - 1);
}

// The moves among which the policy chooses.
HERE u64 choices(const Table &table, u32 piles, bool merges_empty, u64 policy) {
    u64 waste = static_cast<u64>(offers_of(table, piles)) << WASTE;
    u64 hand = wanting(table, table.hand);
    u64 down = table.hand == 0 ? 0 : static_cast<u64>(open_piles(table, piles, merges_empty)) << DOWN;
    if (policy == UNIFORM) return waste | down | hand;
    u64 up = policy == WASTE_FIRST && waste != 0 ? waste : waste | hand;
    return up == 0 ? down : up;
}

// Puts up every card that can go up: tops first, the lowest pile and foundation first.
HERE void settle(Table &table, u32 piles) {
    for (;;) {
        u64 up = offers_of(table, piles);
        u64 first = up != 0 ? up << WASTE : wanting(table, table.hand);
        if (first == 0) return;
        apply(table, nth_set_bit(first, 0));
    }
}

HERE End play(const u64 *rules, const u64 *position, Draws &draws) {
    u32 piles = static_cast<u32>(rules[0]);
    bool merges_empty = rules[1] != 0, is_automatic = rules[2] != 0;
    Table table;
    table.foundations = position[0];
    table.sums[0] = position[1];
    table.sums[1] = position[2];
    table.tops = position[3];
    table.hand = static_cast<u32>(position[4]) & 0xff;
    table.copy = static_cast<u32>(position[4] >> 8) & 0xff;
    table.up = static_cast<u32>(position[4] >> 16) & 0xff;
    for (u32 slot = 0; slot < 56; slot++) {
        links[slot][THREAD] = static_cast<unsigned char>(position[5 + slot / 8] >> slot % 8 * 8);
    }
    End end;
    end.plies = 0;
    // A card is turned and moved in one pass of the loop, so that the games of a warp stay in step.
    for (;;) {
        u32 left = static_cast<u32>(table.sums[1] >> 56);
        if (table.hand == 0 && left > 0) {
            turn_card(table, below(draws, left));
            end.plies++;
            if (is_automatic) {
                settle(table, piles);
                if (table.hand == 0 && left > 1) continue;
            }
        }
        u64 moves = choices(table, piles, merges_empty, rules[3]);
        // Without a card in hand or in the stock, only the tops of piles are left.
        if (moves == 0) break;
        apply(table, nth_set_bit(moves, below(draws, POPCOUNT64(moves))));
        end.plies++;
        if (is_automatic) settle(table, piles);
    }
    end.payoff = static_cast<int>(rules[PAYOFFS + table.up]);
    return end;
}
