package stats_test

import (
	"fmt"

	"evalctl/eval/stats"
)

func ExampleProportion() {
	var right stats.Proportion
	for range 90 {
		right.Add(3, 3) // all epochs of a case
	}
	for range 10 {
		right.Add(1, 3)
	}
	p, _ := right.Value()
	lo, hi, _ := right.Interval(0.95)
	fmt.Printf("%.3f [%.3f, %.3f] of %d trials in %d cases, worth %.0f\n", p, lo, hi, right.N(), right.Cases(),
		right.EffectiveN())
	// Output:
	// 0.933 [0.882, 0.963] of 300 trials in 100 cases, worth 149
}

func ExampleF1() {
	var f stats.F1
	for i := range 100 {
		gold, predicted := []string{"chat", "image_gen"}[i%2], "chat"
		if i%5 > 0 {
			predicted = gold
		}
		f.Add(stats.ConfusionRow{Gold: gold, Predicted: predicted, Correct: predicted == gold, Trials: 1})
	}
	f.Add(stats.ConfusionRow{Gold: "chat", Predicted: "no label at all", Trials: 1})
	for _, c := range f.Classes(0.95) {
		fmt.Printf("%-9s F1 %.3f [%.3f, %.3f] of %d cases\n", c.Label, c.F1, c.F1Lo, c.F1Hi, c.Cases)
	}
	macro, _ := f.MacroF1()
	lo, hi, ok := f.MacroF1Interval(0.95)
	fmt.Printf("macro-F1  %.3f [%.3f, %.3f] %v\n", macro, lo, hi, ok)
	// Output:
	// chat      F1 0.901 [0.827, 0.945] of 51 cases
	// image_gen F1 0.889 [0.802, 0.940] of 50 cases
	// macro-F1  0.895 [0.819, 0.942] true
}
