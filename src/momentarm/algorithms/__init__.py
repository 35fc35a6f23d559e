"""What kernels run: the textbook's algorithms, generic in the scalar, one function a quantity."""
