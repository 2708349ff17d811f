#include "stats/distribution.h"

#include <math.h>

double distribution_normal(double z)
{
    return erfc(-z / sqrt(2)) / 2;
}

double distribution_student(double t, size_t freedom)
{
    double angle = atan(t / sqrt((double)freedom));
    double cosine = cos(angle), sum = 0;
    double term = freedom % 2 ? cosine : 1;
    for (size_t i = freedom % 2 ? 1 : 0; i + 2 <= freedom; i += 2) {
        sum += term;
        term *= cosine * cosine * (double)(i + 1) / (double)(i + 2);
    }
    return freedom % 2 ? 2 / acos(-1) * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double distribution_student_inverse(double level, size_t freedom)
{
    double low = 0, high = 1;
    while (distribution_student(high, freedom) < level)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (distribution_student(middle, freedom) < level)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double distribution_coin(size_t k, size_t count)
{
    double log_term = -(double)count * log(2), sum = 0; /* 2^-count itself may underflow */
    for (size_t i = 0; i <= k && i <= count; i++) {
        sum += exp(log_term);
        log_term += log((double)(count - i)) - log((double)(i + 1));
    }
    return fmin(1, sum);
}
