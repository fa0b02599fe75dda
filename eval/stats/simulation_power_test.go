package stats_test

import (
	"fmt"
	"math/rand/v2"

	"evalctl/eval/stats"
)

// mixedPopulation simulates two variants with the same accuracy per case and independent results,
// except for losses of B. B loses the share lossPerEpoch of every epoch's accuracy, or all epochs
// of the share lostCases of the cases.
type mixedPopulation struct {
	n, epochs               int
	chances                 []float64 // accuracies of the cases, equally frequent
	lossPerEpoch, lostCases float64
}

func (w mixedPopulation) fill(p *stats.PairedAccuracy, random *rand.Rand) {
	right := epochsPopulation{epochs: w.epochs}.right
	for range w.n {
		a := w.chances[random.IntN(len(w.chances))]
		b := a * (1 - w.lossPerEpoch)
		if random.Float64() < w.lostCases {
			b = 0
		}
		p.Add(right(random, a), int64(w.epochs), right(random, b), int64(w.epochs))
	}
}

func (w mixedPopulation) mean() (mean float64) {
	for _, c := range w.chances {
		mean += c / float64(len(w.chances))
	}
	return mean
}

func (w mixedPopulation) String() string {
	return fmt.Sprintf("n %d, %d epochs, mixed, p %.2g", w.n, w.epochs, w.mean())
}

// powerTable checks the power at the detectable difference. In some simulated populations losses
// add to the discordance, as assumed; in others they do not.
func powerTable() table {
	t := table{name: "power at the detectable difference, which must be 80 %"}
	for _, n := range []int{100, 466, 2000} {
		for _, discordance := range []float64{0.03, 0.05, 0.1, 0.2} {
			t.claims = append(t.claims, flipsPower(pairedPopulation{n: n, discordance: discordance})...)
			t.claims = append(t.claims, observedDiscordance(pairedPopulation{n: n, discordance: discordance}))
		}
		for _, icc := range []float64{0, 0.5, 0.9} {
			w := epochsPopulation{n: n, epochs: 5, mean: 0.9, icc: icc, moved: 0.25}
			t.claims = append(t.claims, powerful("as runs state it, gains replaced: "+w.String(), func() draw {
				w.tilt = min(meanDetectable(w)/w.moved, 1)
				return rejects(w)
			}).withBand(0.77, 1, "at least 80 %: less differs than is allowed for"))
		}
	}
	for _, difference := range []float64{0.01, 0.03, 0.05} {
		for _, discordance := range []float64{0.02, 0.1, 0.3} {
			t.claims = append(t.claims, neededPower(discordance, difference))
		}
	}
	for _, n := range []int{60, 100, 466} {
		for _, epochs := range []int{1, 3, 5} {
			t.claims = append(t.claims, mixedPower(mixedPopulation{n: n, epochs: epochs})...)
		}
	}
	return t
}

// flipsPower checks the power with one epoch, with the true discordance and with the one that runs
// observe.
func flipsPower(w pairedPopulation) []claim {
	lost := func(difference float64) draw {
		return rejects(pairedPopulation{n: w.n, discordance: w.discordance + difference, difference: difference})
	}
	replaced := func(difference float64) draw {
		return rejects(pairedPopulation{n: w.n, discordance: max(w.discordance, difference), difference: difference})
	}
	runs := powerful("as runs state it: "+w.String(), func() draw { return lost(meanDetectable(w)) })
	if w.n == 100 && w.discordance < 0.2 {
		runs = runs.withBand(0.74, 0.87, "of 100 cases a few differ, and a run knows its discordance by them alone")
	}
	return []claim{
		powerful(w.String(), func() draw {
			difference, _ := stats.MinDetectableDifference(int64(w.n), w.discordance, 0.05, 0.8)
			return lost(difference)
		}).repeated(3000, 500),
		runs,
		powerful("as runs state it, gains replaced: "+w.String(), func() draw { return replaced(meanDetectable(w)) }).
			withBand(0.77, 1, "at least 80 %: less differs than is allowed for"),
	}
}

// neededPower checks that the needed number of cases has the required power.
func neededPower(discordance, difference float64) claim {
	all := discordance + difference
	w := pairedPopulation{n: int(stats.NeededCases(all, difference, 0.05, 0.8)), discordance: all,
		difference: difference}
	return powerful("the needed cases: "+w.String(), func() draw { return rejects(w) })
}

// observedDiscordance checks the coverage of the interval of the discordance that a run observes.
func observedDiscordance(w pairedPopulation) claim {
	seen := interval("discordance that a run shows: "+w.String(), func(random *rand.Rand) outcome {
		var p stats.PairedAccuracy
		w.fill(&p, random)
		lo, hi := p.Discordance().Interval(0.05, 0.95)
		return covers(w.discordance)(lo, hi, true)
	}).withBand(0.93, 0.98, "a lead that is luck may pass for proven, and the counts are few")
	if w.n == 100 {
		seen.least = 0.9
	}
	return seen
}

// mixedPower checks the power over easy, medium and hard cases.
func mixedPower(w mixedPopulation) []claim {
	w.chances = []float64{.97, .97, .97, .97, .97, .97, .97, .5, .5, .1}
	slips := powerful("as runs state it: "+w.String(), func() draw { return w.slipping() })
	if w.n <= 100 {
		slips = slips.withBand(0.77, 0.89,
			"at least 80 %: a few differences in few cases, and tosses among them that add nothing when they are lost")
	}
	if w.n == 60 && w.epochs < 5 {
		slips.quick = 400
	}
	lost := powerful("as runs state it, lost in all epochs: "+w.String(), func() draw {
		w.lostCases = meanDetectable(w) / w.mean()
		return rejects(w)
	}).withBand(0.77, 0.9, "at least 80 %: a case that is lost no longer differs by luck")
	if w.epochs > 1 {
		lost = powerful("15.19: as runs state it if in all epochs: "+w.String(), func() draw {
			w.lostCases = meanDetectableIfAllEpochsLost(w) / w.mean()
			return rejects(w)
		}).withBand(0.77, 0.92, "at least 80 %: cases that are lost no longer differ by luck")
	}
	tosses := w
	tosses.chances = []float64{.97, .5, .1}
	return []claim{slips, lost,
		powerful("as runs state it: "+tosses.String(), func() draw { return tosses.slipping() }).
			withBand(0.77, 0.92, "at least 80 %: many cases are a toss, and what is lost there adds little")}
}

func (w mixedPopulation) slipping() draw {
	w.lossPerEpoch = meanDetectable(w) / w.mean()
	return rejects(w)
}

func powerful(setting string, draw func() draw) claim {
	return claim{setting: setting, draw: draw, full: 3000, least: 0.77, most: 0.83, reason: "80 %, within 3 points"}
}

// meanDetectable returns the mean of the detectable difference that simulated runs report.
func meanDetectable(w pairedSimulation) float64 {
	return meanOfDetectable(w, (*stats.PairedAccuracy).MinDetectableDifference)
}

// meanDetectableIfAllEpochsLost returns the mean of the detectable difference that simulated runs
// report if few cases lose all of their epochs.
func meanDetectableIfAllEpochsLost(w pairedSimulation) float64 {
	return meanOfDetectable(w, (*stats.PairedAccuracy).MinDetectableDifferenceAllEpochs)
}

func meanOfDetectable(w pairedSimulation,
	detectable func(p *stats.PairedAccuracy, alpha, power float64) (float64, bool)) (mean float64) {
	const runs = 200
	random := rand.New(rand.NewPCG(51, 1))
	for range runs {
		var p stats.PairedAccuracy
		w.fill(&p, random)
		difference, _ := detectable(&p, 0.05, 0.8)
		mean += difference / runs
	}
	return mean
}
