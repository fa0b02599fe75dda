package floor_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/floor"
	"evalctl/eval/stats"
)

// publicData is the environment variable with the directory of the public data sets. Each data set
// has its own directory with the file train.jsonl, and test.jsonl if its published test half is there
// (see make public-data).
const publicData = "EVALCTL_PUBLIC_DATA"

// readPublic reads a file of a public data set, without the texts of one label. It skips the test if
// there are no data sets, and returns nil if only this file is missing.
func readPublic(name, half, without string) (list []system.LabeledExample) {
	GinkgoHelper()
	folder := os.Getenv(publicData)
	if folder == "" {
		Skip(publicData + " names no folder with the public sets")
	}
	file, err := os.Open(filepath.Join(folder, name, half+".jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(file.Close)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var e system.LabeledExample
		Expect(json.Unmarshal(lines.Bytes(), &e)).To(Succeed())
		if e.Label != without {
			list = append(list, e)
		}
	}
	return list
}

// publicHalves returns the texts to train on and the texts to test on: the published halves, or else
// a fixed split of the train half, with three of ten texts of each label for the test.
func publicHalves(name, without string) (train, test []system.LabeledExample, isPublished bool) {
	GinkgoHelper()
	all := readPublic(name, "train", without)
	Expect(all).NotTo(BeEmpty(), "%s has no train.jsonl", name)
	if test = readPublic(name, "test", without); test != nil {
		return all, test, true
	}
	seen := map[string]int{}
	for _, e := range all {
		if seen[e.Label]%10 < 7 {
			train = append(train, e)
		} else {
			test = append(test, e)
		}
		seen[e.Label]++
	}
	return train, test, false
}

type heldOutScores struct {
	right, n        int64
	calibration     stats.Calibration
	size            floor.ModelSize
	learning, asked time.Duration
}

func (o *heldOutScores) evaluate(kind floor.Kind, learned, asked []system.LabeledExample) {
	GinkgoHelper()
	begin := time.Now()
	m, err := floor.Train(kind, learned)
	Expect(err).NotTo(HaveOccurred())
	o.learning += time.Since(begin)
	o.size = m.Size()
	begin = time.Now()
	for _, e := range asked {
		label, confidence := m.Predict(e.Text)
		o.calibration.Add(confidence, label == e.Label)
		o.n++
		if label == e.Label {
			o.right++
		}
	}
	o.asked += time.Since(begin)
}

func (o heldOutScores) accuracy() float64 { return 100 * float64(o.right) / float64(o.n) }

func (o heldOutScores) String() string {
	lo, hi := stats.Wilson(o.right, o.n, 0.95)
	ece, _ := o.calibration.ECE(15)
	return fmt.Sprintf("%.1f %% (%.1f to %.1f, n = %d), calibration error %.1f %%, %d features, %.1f MiB, %.2f s to learn, %.0f µs a decision",
		o.accuracy(), 100*lo, 100*hi, o.n, 100*ece, o.size.Features, float64(o.size.Bytes)/(1<<20),
		o.learning.Seconds(), float64(o.asked.Microseconds())/float64(o.n))
}

var _ = Describe("public training sets, tested on texts that are held out", func() {
	DescribeTable("are labeled by the linear model almost as accurately as by fine-tuned transformers",
		func(set, without, published string, least float64) {
			train, test, isPublished := publicHalves(set, without)
			half := fmt.Sprintf("trained on %d texts of the train half, tested on the other %d", len(train), len(test))
			if isPublished {
				half = "tested on the published test half; published for comparison: " + published
			}
			for _, kind := range floor.Kinds() {
				var o heldOutScores
				o.evaluate(kind, train, test)
				fmt.Printf("%s, %s: %s; %s\n", set, kind, o, half)
				if kind == floor.Linear {
					Expect(o.accuracy()).To(BeNumerically(">=", least), set)
				}
			}
		},
		Entry("CLINC150 in scope", "clinc150", "oos", "96.9 with BERT", 91.0),
		Entry("BANKING77", "banking77", "", "93.7", 86.0),
		Entry("HWU64", "hwu64", "", "none cited", 84.0),
		Entry("MASSIVE zh-CN", "massive_zh_cn", "", "none cited", 80.0),
	)
})
