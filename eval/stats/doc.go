// Package stats turns counts, scores and durations into estimates with honest
// uncertainty: proportions, means, macro-F1 and quantiles of cases whose epochs are
// alike, the differences of two variants over the same cases with their tests, and how
// far a confidence can be believed.
//
// Everything streams: memory does not grow with the number of trials, and the
// final state depends only on what was added, never on the order or on how the
// adds were split over accumulators that were merged. Zero values work. Nothing
// here is safe for concurrent use, not even reading, and an accumulator must not
// be copied after its first Add.
//
// Proportions and levels are fractions (0.95, not 95). What could not be measured
// is reported as ok = false (or NaN from [Wilson], which has no ok), never as 0.
package stats

// Level is that of the intervals which are reported.
const Level = 0.95
