// Batches of playouts, one thread a playout: what the kernels of all games share. A game's text follows and defines
// POSITION_WORDS and play(); then comes entry.cu. CUDA and a plain C++ compiler read the same text, so that a machine
// without a GPU can hold it to the plain loop.
//
// A request is a row of words: the number of its first thread, its playouts, their key, the number of the first of them, and
// the position. A tally is three words: plies, the sum of the payoffs (two's complement), the sum of their squares.

typedef unsigned int u32;
typedef unsigned long long u64;

#ifdef __CUDACC__
#define HERE static __device__ __forceinline__
#define ON_GPU __device__
#define TABLE __device__
#define OF_BLOCK __shared__
#define THREADS 128
#define THREAD threadIdx.x
#define POPCOUNT32(x) __popc(x)
#define POPCOUNT64(x) __popcll(x)
#define REVERSED64(x) __brevll(x)
#define HIGH32(x, y) __umulhi(x, y)
#else
#include <cstdio>
#include <vector>
#define HERE static inline
#define ON_GPU
#define TABLE
#define OF_BLOCK static
#define THREADS 1
#define THREAD 0
#define POPCOUNT32(x) static_cast<u32>(__builtin_popcount(x))
#define POPCOUNT64(x) static_cast<u32>(__builtin_popcountll(x))
#define HIGH32(x, y) static_cast<u32>(static_cast<u64>(x) * (y) >> 32)
static inline u64 REVERSED64(u64 x) {
    x = (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
    x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0full) | (x & 0x0f0f0f0f0f0f0f0full) << 4;
    return __builtin_bswap64(x);
}
#endif

static const u64 GAMMA = 0x9e3779b97f4a7c15ull;

// Stafford's mix 13, the output function of SplitMix64.
HERE u64 mix(u64 z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// The draws of one playout, in order.
struct Draws {
    u64 counter;
    u32 low;
    bool odd;
};

HERE Draws draws_of(u64 key, u64 playout) {
    Draws draws;
    draws.counter = mix(key + (playout + 1) * GAMMA) + GAMMA;
    draws.low = 0;
    draws.odd = false;
    return draws;
}

// The next 32 random bits: the high and then the low half of a word.
HERE u32 next_draw(Draws &draws) {
    if (draws.odd) {
        draws.odd = false;
        return draws.low;
    }
    u64 word = mix(draws.counter);
    draws.counter += GAMMA;
    draws.low = static_cast<u32>(word);
    draws.odd = true;
    return static_cast<u32>(word >> 32);
}

// A pick among n: one draw.
HERE u32 below(Draws &draws, u32 n) {
    return HIGH32(next_draw(draws), n);
}

// The result of a playout.
struct End {
    int payoff;
    u32 plies;
};
