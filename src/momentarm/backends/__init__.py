"""Programs to text: LLVM, C, arrays, symbols. Knows tapes, not robots."""
