# The types of arithmetic.py, so that the other kernels can use it without going through Python.

cpdef double log_plus(double a, double b) noexcept nogil
cpdef double bounded_exp(double x) noexcept nogil
cpdef double as_number(double log_weight) noexcept nogil
cpdef double as_log(bint logs, double value) noexcept nogil
cpdef double shifted(double value, int exponent) noexcept nogil
cpdef double times(bint logs, double a, double b) noexcept nogil
cpdef double blend(
    bint logs, double a, double p, double b, double q, double c, double r
) noexcept nogil
cpdef int settle(double[::1] values, double tiny, bint all_positive) noexcept nogil
