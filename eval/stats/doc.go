// Package stats computes estimates with confidence intervals and tests from counts, scores and
// durations. It covers proportions, means, macro-F1 and quantiles of cases with several epochs,
// paired differences of two variants, and the calibration of confidences.
//
// Everything streams: memory does not grow with the number of trials. The final state depends only
// on what was added, not on the order. Zero values work. Nothing here is safe for concurrent use,
// including reads. Do not copy an accumulator after its first Add.
//
// Proportions and levels are fractions (0.95, not 95). A value that cannot be computed has ok =
// false (NaN from [Wilson], which has no ok); it is never 0.
package stats

// ConfidenceLevel is the confidence level of reported intervals.
const ConfidenceLevel = 0.95
