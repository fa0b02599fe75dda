package floor_test

import (
	"testing"

	"evalctl/eval/floor"
)

func FuzzPredict(f *testing.F) {
	var models []floor.Model
	for _, kind := range floor.Kinds() {
		m, err := floor.Train(kind, weather)
		if err != nil {
			f.Fatal(err)
		}
		models = append(models, m)
	}
	for _, text := range []string{"", "draw a cat", "画一只猫", "\xff", "ﷺ ａ\u200d\u0301"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range models {
			label, confidence := m.Predict(text)
			again, same := m.Predict(text)
			if label != "weather" && label != "image" || !(confidence >= 0.5 && confidence <= 1) {
				t.Errorf("%q: %s, %v", text, label, confidence)
			}
			if again != label || same != confidence {
				t.Errorf("%q: %s %v, then %s %v", text, label, confidence, again, same)
			}
		}
	})
}
