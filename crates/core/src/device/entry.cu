// The entry: finds each thread's playout, plays it, and adds its result to the tally of its request. All sums are of
// integers, so the order of the threads does not matter.

static const u32 REQUEST_WORDS = 4 + POSITION_WORDS;
static const u32 TALLY_WORDS = 3;

// The last request whose first thread is not after this one.
HERE u32 request_of(const u64 *requests, u32 count, u64 thread) {
    u32 low = 0, high = count;
    while (high - low > 1) {
        u32 middle = (low + high) / 2;
        if (requests[static_cast<u64>(middle) * REQUEST_WORDS] <= thread) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

#ifdef __CUDACC__
// The sum over the 32 threads of a warp, in its first thread.
HERE u64 warp_sum(u64 value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
    return value;
}

// All threads of a warp come here together, also those without a playout.
HERE void add(u64 *tallies, u32 request, u64 plies, u64 sum, u64 squares) {
    u64 *tally = tallies + static_cast<u64>(request) * TALLY_WORDS;
    if (__all_sync(~0u, request == __shfl_sync(~0u, request, 0))) {
        plies = warp_sum(plies);
        sum = warp_sum(sum);
        squares = warp_sum(squares);
        if (threadIdx.x % 32 != 0) return;
    }
    if (plies != 0) atomicAdd(tally, plies);
    if (sum != 0) atomicAdd(tally + 1, sum);
    if (squares != 0) atomicAdd(tally + 2, squares);
}
#else
HERE void add(u64 *tallies, u32 request, u64 plies, u64 sum, u64 squares) {
    u64 *tally = tallies + static_cast<u64>(request) * TALLY_WORDS;
    tally[0] += plies;
    tally[1] += sum;
    tally[2] += squares;
}
#endif

HERE void play_thread(const u64 *rules, const u64 *requests, u32 count, u64 thread, u64 *tallies) {
    u32 index = request_of(requests, count, thread);
    const u64 *request = requests + static_cast<u64>(index) * REQUEST_WORDS;
    u64 playout = thread - request[0];
    u64 plies = 0, sum = 0, squares = 0;
    if (playout < request[1]) {
        Draws draws = draws_of(request[2], request[3] + playout);
        End end = play(rules, request + 4, draws);
        plies = end.plies;
        sum = static_cast<u64>(static_cast<long long>(end.payoff));
        squares = sum * sum;
    }
    add(tallies, index, plies, sum, squares);
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(THREADS, 8)
    play_batches(const u64 *rules, const u64 *requests, u32 count, u64 base, u64 *tallies) {
    play_thread(rules, requests, count, base + static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x, tallies);
}
#else
static std::vector<u64> words(u64 count) {
    std::vector<u64> read(count);
    if (fread(read.data(), sizeof(u64), count, stdin) != count) read.clear();
    return read;
}

// Plays the launch on standard input: the numbers of words of the rules, of requests, and of threads; the rules; the
// requests. Writes the tallies.
int main() {
    std::vector<u64> head = words(3);
    if (head.empty()) return 1;
    std::vector<u64> rules = words(head[0]), requests = words(head[1] * REQUEST_WORDS);
    std::vector<u64> tallies(head[1] * TALLY_WORDS);
    for (u64 thread = 0; thread < head[2]; thread++) {
        play_thread(rules.data(), requests.data(), static_cast<u32>(head[1]), thread, tallies.data());
    }
    return fwrite(tallies.data(), sizeof(u64), tallies.size(), stdout) == tallies.size() ? 0 : 1;
}
#endif
