package play

import (
	"fmt"
	"hash/maphash"
	"unicode/utf8"

	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// caseFacts checks that the results of shards belong to the cases of the dataset. A result repeats
// the text, tags and labels of its case. caseFacts stores hashes of them, because there may be a
// million cases.
type caseFacts struct {
	seed  maphash.Seed
	known map[string]string // name of the label field, by suite; a suite is absent if its cases could not be read
	facts map[uint64]struct{}
}

// factsOf reads the cases of a run. It adds a note for a dataset that is missing or has changed.
func factsOf(m journal.Manifest, suites []suite.Suite) (f caseFacts, notes []string, err error) {
	f = caseFacts{seed: maphash.MakeSeed(), known: map[string]string{}, facts: map[uint64]struct{}{}}
	for i, s := range suites {
		data, _, err := datasets.OpenForSuite(s, m.Seed, func(string) error { return nil })
		if err != nil || data.Hash != m.Datasets[i].Hash {
			notes = append(notes, fmt.Sprintf(
				"the results of suite %s are not compared with its cases: dataset %s is missing or has changed",
				s.Name, s.Dataset))
			continue
		}
		f.known[s.Name] = s.System().Contract.LabelField
		for c, err := range data.Stream(datasets.FilterForSuite(s, m.Seed)) {
			if err != nil {
				return f, nil, err
			}
			if err := f.add(s.Name, c); err != nil {
				return f, nil, err
			}
		}
	}
	return f, notes, nil
}

// truncatedText is used in place of a text that is longer than results store, when the hash of a
// fact is computed.
const truncatedText = "\x00cut"

func (f caseFacts) add(of string, c eval.Case) error {
	f.facts[f.hash(of, c.ID, c.Fingerprint)] = struct{}{}
	for i, step := range c.Turns {
		one := c
		one.Turns = c.Turns[:i+1]
		r := eval.Trial{Condition: &eval.Condition{Suite: of}, Case: one}.EmptyResults()[0]
		f.facts[f.textFact(r, r.Text)] = struct{}{}
		if utf8.RuneCountInString(step.Text) > eval.MaxTextChars {
			f.facts[f.textFact(r, truncatedText)] = struct{}{}
		}
		want, err := step.Labels(f.known[of])
		if err != nil {
			return fmt.Errorf("%s: %w", c.Pos, err)
		}
		f.facts[f.label(r, i+1, want)] = struct{}{}
	}
	return nil
}

func (f caseFacts) textFact(r eval.Result, text string) uint64 {
	return maphash.String(f.seed, fmt.Sprintf("%q %q %q %q %q", r.Suite, r.Case, r.Tags, r.Language, text))
}

func (f caseFacts) hash(of, id string, hash eval.CaseHash) uint64 {
	return maphash.String(f.seed, fmt.Sprintf("%q %q %q", of, id, hash))
}

func (f caseFacts) label(r eval.Result, turn int, want eval.OneOf) uint64 {
	return maphash.String(f.seed, fmt.Sprintf("%q %q %d %q", r.Suite, r.Case, turn, []string(want)))
}

// check returns an error if a result does not match its case. It accepts all results of a suite
// whose cases were not read.
func (f caseFacts) check(r eval.Result) error {
	if _, known := f.known[r.Suite]; !known {
		return nil
	}
	has := func(fact uint64) bool { _, ok := f.facts[fact]; return ok }
	fits := (has(f.textFact(r, r.Text)) || has(f.textFact(r, truncatedText))) &&
		(r.CaseHash == "" || has(f.hash(r.Suite, r.Case, r.CaseHash)))
	if _, ok := r.Decision(); ok && fits {
		for _, j := range r.Decisions() {
			fits = fits && has(f.label(r, j.Turn, j.Expected))
		}
	}
	if !fits {
		return fmt.Errorf("key %.40q: its text, language, tags or labels are not those of case %.40q: the line was edited", r.Key, r.Case)
	}
	return nil
}
