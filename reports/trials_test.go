package reports_test

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports"
)

var _ = Describe("The formats that show single trials", func() {
	It("have the same output if the results are read once for all of them, even if one is requested twice", func() {
		alone := reportOn(trialResult("v", "c1", 1, "chat", "chat"), trialResult("v", "c2", 1, "chat", "search"),
			trialResult("w", "c1", 1, "chat", ""))
		all := slices.DeleteFunc(reports.Formats(), func(f reports.Format) bool { return !f.NeedsTrials() })
		for _, formats := range [][]reports.Format{all, slices.Concat(all, all)} {
			together := alone
			together.Trials = reports.NewTrialCollector(alone, formats...)
			Expect(alone.Run.ReadInto(together.Trials.Sinks()...)).To(Succeed())
			for _, f := range formats {
				Expect(written(f, together)).To(Equal(written(f, alone)), string(f))
			}
		}
	})
})
