package page

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/metric"
)

// DefaultMaxBytes is the default maximum size of a page, in bytes.
const DefaultMaxBytes = 3_000_000

// EncodeOptions contains the settings for the data of a page.
type EncodeOptions struct {
	Dir          string // directory of the run, for the commands that the page shows; "": none
	BaselinePath string // path of the baseline run; "": none
	TraceURL     string // URL from which the page requests traces that it does not contain; "": none
	MaxBytes     int64  // maximum size of the whole page in bytes; 0: DefaultMaxBytes
}

// TrialSource reads the data of a run that the packer does not keep in memory.
type TrialSource interface {
	// Trial returns a trial with its trace, by the key of the trial. If it returns an error, the page
	// contains the trial without its trace, and a note.
	Trial(key string) (eval.Result, error)
	// Prompts returns the texts of the prompts that the run stored, by ID. If it returns an error, the
	// page contains no prompts, and a note.
	Prompts() (map[string]string, error)
}

// Packer collects the results of a run and packs them as the data of a page. It stores only a few
// numbers for each result.
type Packer struct {
	options    EncodeOptions
	suites     []*suite
	places     map[string]int
	trials     int64
	briefAbove int64 // with more trials than this, the columns are brief
}

// NewPacker returns an empty Packer. It accepts only results of conditions that the summary
// contains.
func NewPacker(sum eval.Summary, o EncodeOptions) *Packer {
	o.MaxBytes = cmp.Or(o.MaxBytes, DefaultMaxBytes)
	p := &Packer{options: o, places: map[string]int{}, briefAbove: briefColumnsAbove}
	for _, s := range sum.Suites {
		p.places[s.Name] = len(p.suites)
		p.suites = append(p.suites, newSuite(s))
	}
	return p
}

// Add adds the result of a trial. The order does not matter, but each trial must be added only
// once.
func (p *Packer) Add(r eval.Result) error {
	at, ok := p.places[r.Suite]
	if !ok {
		return fmt.Errorf("pack the cases: suite %.60q is not in the summary", r.Suite)
	}
	p.trials++
	return p.suites[at].add(r)
}

// AddBaseline adds the result of a trial of the baseline run.
func (p *Packer) AddBaseline(r eval.Result) {
	if at, ok := p.places[r.Suite]; ok {
		p.suites[at].addBaseline(r)
	}
}

// suite collects the results of one suite.
type suite struct {
	head         Suite
	conditions   map[Condition]int
	trials       []trial
	cases        names // case ids, numbered in the order of the results
	labels       names
	expect       names   // sets of expected labels
	expectedSets [][]int // labels of each set in expect, as numbers in labels
	source       names
	codes        names // codes of error replies
	errors       names // kinds of errors
	fallbacks    names // first fallbacks of trials, such as "router → rules"
	tags         names
	caseInfos    []caseInfo // one for each case
	// index of the trial for each condition, case and epoch, set by finish; −1: not run
	grid             []int32
	baselineVerdicts map[caseKey][]verdict // verdicts of the baseline run
}

// caseInfo contains data about a case that do not depend on the condition.
type caseInfo struct {
	turns    int
	tags     []int
	text     string // text of the user in the best trial
	whole    bool   // text is complete, so the trace is not needed to read it
	best     int    // index of the trial with the most answered turns, from which text is taken; −1: none yet
	key      string // key of the best trial, set by finish
	answered int
}

// trial contains the values of a result that the lists of a page need; −1 means unknown. Names are
// numbers.
type trial struct {
	caseIndex, condition, epoch   int
	key                           string
	predicted, answeredBy, source int
	expected                      int
	failure, error                int
	fallback                      int // first fallback
	confidence, duration, cost    int
	faultOutcome, tier            int // set by assignTiers
	failing                       bool
	rejected                      bool  // the agent did not follow the deciding model
	turns                         []int // as in Columns.Turns; only with several labeled turns
	outcome                       compare.TrialState
}

// turnFields is the number of values of a turn in Columns.Turns.
const turnFields = 4

func newSuite(s eval.SuiteSummary) *suite {
	n := &suite{conditions: map[Condition]int{}, baselineVerdicts: map[caseKey][]verdict{}}
	n.head = Suite{
		Name:            s.Name,
		Target:          s.Target,
		BaselineVariant: s.BaselineVariant,
		Epochs:          max(1, s.Epochs),
	}
	for _, c := range s.Conditions {
		condition := Condition{Variant: c.Variant, Fault: cmp.Or(c.Fault, eval.NoFault)}
		n.conditions[condition] = len(n.head.Conditions)
		condition.BaselineModel = c.BaselineModel
		n.head.Conditions = append(n.head.Conditions, condition)
	}
	if n.head.BaselineVariant == "" && len(n.head.Conditions) > 0 {
		n.head.BaselineVariant = n.head.Conditions[0].Variant
	}
	return n
}

func conditionOf(r eval.Result) Condition {
	return Condition{Variant: r.Variant, Fault: cmp.Or(r.Fault, eval.NoFault)}
}

func (s *suite) add(r eval.Result) error {
	condition, ok := s.conditions[conditionOf(r)]
	if !ok || r.Epoch < 1 || r.Epoch > s.head.Epochs {
		return fmt.Errorf("pack the cases: suite %.60q has no variant %.60q with fault %.60q in epoch %d", r.Suite,
			r.Variant, r.Fault, r.Epoch)
	}
	if r.Case == "" {
		return fmt.Errorf("pack the cases: a result of suite %.60q names no case", r.Suite)
	}
	t := trial{
		caseIndex:  s.cases.add(r.Case),
		condition:  condition,
		epoch:      r.Epoch,
		key:        r.Key,
		outcome:    compare.TrialStateOf(r),
		failing:    r.IsFailing(),
		answeredBy: s.labels.add(answererName(r.AnsweredBy)),
		source:     s.source.add(sourceName(r.DecidedBy, s.head.Conditions[condition].BaselineModel)),
		failure:    -1,
		error:      -1,
		fallback:   -1,
		cost:       -1,
		duration:   int(time.Duration(r.Duration).Microseconds()),
	}
	if codes := r.ErrorReplyCodes(); len(codes) > 0 {
		t.failure = s.codes.add(codes[0])
	}
	t.confidence, t.rejected = confidence(r)
	if metric.IsKnown(r.Cost) {
		t.cost = int(metric.RoundThreeDigits(*r.Cost * 1e9))
	}
	want, got := r.Expected, r.Predicted
	if d, labeled := r.Decision(); labeled {
		want, got = d.Expected, d.Actual
	}
	t.predicted, t.expected = s.labels.add(got), s.expectedIndex(want)
	if list := r.Decisions(); len(list) > 1 {
		for _, j := range list {
			t.turns = append(t.turns, j.Turn, s.labels.add(j.Expected.Primary()), s.labels.add(j.Actual),
				codeOf(j.Verdict))
		}
	}
	t.outcome.Predicted = s.labels.interned(r.Predicted)
	t.outcome.Verdict = knownVerdict(t.outcome.Verdict)
	if len(r.Fallbacks) > 0 {
		t.fallback = s.fallbacks.add(r.Fallbacks[0].From + " → " + r.Fallbacks[0].To)
	}
	if r.Error != nil {
		t.error = s.errors.add(string(r.Error.Kind))
	}
	s.updateCase(t, r)
	s.trials = append(s.trials, t)
	return nil
}

// updateCase updates the data of a case after a trial was added. The result does not depend on the
// order of the trials.
func (s *suite) updateCase(t trial, r eval.Result) {
	if t.caseIndex == len(s.caseInfos) {
		s.caseInfos = append(s.caseInfos, caseInfo{best: -1})
	}
	a := &s.caseInfos[t.caseIndex]
	answered := 0
	for _, turn := range r.Turns {
		if turn.Answered {
			answered++
		}
	}
	if a.best < 0 {
		for _, tag := range r.Tags {
			a.tags = append(a.tags, s.tags.add(tag))
		}
	}
	a.turns = max(a.turns, len(r.Turns))
	if a.best >= 0 && !s.isBetter(t, answered, *a) {
		return
	}
	a.best, a.answered = len(s.trials), answered
	a.text, a.whole = r.Text, len(r.Turns) <= 1 && len([]rune(r.Text)) < eval.MaxTextChars
}

// isBetter reports whether a trial represents its case better than the best one so far: it has more
// answered turns or, if equal, a lower condition or epoch.
func (s *suite) isBetter(t trial, answered int, a caseInfo) bool {
	best := s.trials[a.best]
	return cmp.Or(cmp.Compare(a.answered, answered), cmp.Compare(t.condition, best.condition),
		cmp.Compare(t.epoch, best.epoch)) < 0
}

// confidence returns the confidence of the deciding model in the scored turn, in percent; −1 if
// there is none. rejected is true if the agent's decision has another confidence, so that it did not
// follow the model. Halves are rounded as [metric.FormatMean] rounds them.
func confidence(r eval.Result) (percent int, rejected bool) {
	turn := len(r.Turns)
	if d, ok := r.Decision(); ok {
		turn = d.Turn
	}
	if turn < 1 || turn > len(r.Turns) {
		return -1, false
	}
	o := r.Turns[turn-1].ModelDecision
	if o == nil || o.Confidence == nil {
		return -1, false
	}
	digits := strings.Replace(metric.FormatMean(*o.Confidence), ".", "", 1)
	percent, err := strconv.Atoi(digits)
	if err != nil {
		return -1, false
	}
	return percent, r.Confidence != nil && *r.Confidence != *o.Confidence
}

func knownVerdict(v eval.Verdict) eval.Verdict {
	switch v {
	case eval.Pass:
		return eval.Pass
	case eval.Fail:
		return eval.Fail
	}
	return eval.Unscored
}

// maxTextLookups is the maximum number of cases whose full text is read from a trace. The other
// cases have the shortened text of the results.
const maxTextLookups = 20_000

// reserve is the number of bytes that are left free, because some numbers in the index become
// longer at the end.
const reserve = 256

// Pack returns the data of the page, after all results were added; fixed is the size of the rest of
// the page in bytes. If source is nil, no trial has a trace. Pack must be called only once.
func (p *Packer) Pack(fixed int64, source TrialSource) (Packed, error) {
	out := Packed{Trials: p.trials}
	press := newCompressor()
	meta := Meta{
		Version:      Version,
		Dir:          p.options.Dir,
		BaselinePath: p.options.BaselinePath,
		TraceURL:     p.options.TraceURL,
		Trials:       p.trials,
	}
	lookups := 0
	var parts []Part
	for i, s := range p.suites {
		if err := s.finish(); err != nil {
			return out, err
		}
		s.assignTiers()
		columns, err := press.value(nth("t", i), s.table(p.trials > p.briefAbove))
		if err != nil {
			return out, err
		}
		texts, err := press.value(nth("s", i), s.texts(source, &lookups))
		if err != nil {
			return out, err
		}
		parts = append(parts, columns, texts)
		s.head.Blocks = make([]int, len(s.caseInfos))
		for of := range s.head.Blocks {
			s.head.Blocks[of] = -1
		}
		meta.Suites = append(meta.Suites, s.head)
	}
	head, err := press.value("meta", meta)
	if err != nil {
		return out, err
	}
	out.Parts = append([]Part{head}, parts...)
	if source != nil {
		prompts, err := p.prompts(&out, source, press, p.options.MaxBytes-fixed-out.Size()-reserve)
		if err != nil {
			return out, err
		}
		out.Parts = append(out.Parts, prompts...)
		room := p.options.MaxBytes - fixed - out.Size() - reserve
		if err := p.addTraces(&out, &meta, source, press, room); err != nil {
			return out, err
		}
	}
	out.BytesOverLimit = max(0, fixed+out.Size()-p.options.MaxBytes)
	return out, nil
}

// prompts returns the part with the prompts of the run. It returns no part if the run has no
// prompts, or if they need too much of the room.
func (p *Packer) prompts(out *Packed, source TrialSource, press *compressor, room int64) ([]Part, error) {
	const maxShare = 8 // prompts may need an eighth of the room
	stored, err := source.Prompts()
	if err != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("the prompts could not be read: %v", err))
	}
	if len(stored) == 0 {
		return nil, nil
	}
	texts := Prompts{}
	for id, text := range stored {
		short, omitted := truncate(text, maxPrompt)
		texts[id] = Prompt{Text: short, OmittedChars: omitted}
	}
	part, err := press.value("prompts", texts)
	if err != nil || part.Size() > room/maxShare {
		return nil, err
	}
	return []Part{part}, nil
}

// minTraceBytes is a lower limit for the size of a compressed trace with all messages that were
// sent. Larger runs are not tried with all messages, because this takes time.
const minTraceBytes = 100

// addTraces adds the blocks with traces and updates the index. The traces contain all messages that
// were sent if the file has room for the traces of all trials with them.
func (p *Packer) addTraces(out *Packed, meta *Meta, source TrialSource, press *compressor, room int64) error {
	var f *blockFiller
	var blocks []block
	for _, complete := range []bool{true, false} {
		if complete && p.trials*minTraceBytes > room {
			continue
		}
		f = newBlockFiller(p.suites, source, press, room, complete)
		var whole bool
		var err error
		if blocks, whole, err = f.fill(); err != nil {
			return err
		}
		if whole {
			break
		}
	}
	n := 0
	for _, b := range blocks {
		if b.traced == 0 {
			continue
		}
		for _, c := range f.cases[b.from:b.to] {
			meta.Suites[c.suite].Blocks[c.caseIndex] = n
		}
		b.part.Name = nth("b", n)
		out.Parts, out.Traced = append(out.Parts, b.part), out.Traced+b.traced
		n++
	}
	meta.Traced = out.Traced
	out.Notes = append(out.Notes, f.notes()...)
	var err error
	out.Parts[0], err = press.value("meta", meta)
	return err
}

func (s *suite) table(brief bool) Trials {
	t := Trials{Conditions: make([]Columns, len(s.head.Conditions)), Tags: make([][]int, len(s.caseInfos))}
	for condition := range t.Conditions {
		t.Conditions[condition] = s.columns(condition, brief)
	}
	for of, a := range s.caseInfos {
		t.Tags[of] = a.tags
	}
	return t
}

// texts returns the texts of the suite's cases for lists and the search.
func (s *suite) texts(source TrialSource, lookups *int) Texts {
	t := Texts{TurnCounts: make([]int, len(s.caseInfos)), CaseTexts: make([]string, len(s.caseInfos))}
	for of, a := range s.caseInfos {
		text := a.text
		if !a.whole && source != nil && *lookups < maxTextLookups {
			*lookups++
			if r, err := source.Trial(a.key); err == nil {
				text = userText(r)
			}
		}
		t.TurnCounts[of] = a.turns
		t.CaseTexts[of], _ = truncate(text, maxShortText)
	}
	return t
}

// userText returns the messages of the user in a trial, as far as lists show them.
func userText(r eval.Result) string {
	var lines []string
	for _, p := range r.Outcome.Turns {
		if lines = append(lines, p.Input.Text); utf8.RuneCountInString(strings.Join(lines, "\n")) >= maxShortText {
			break
		}
	}
	return strings.Join(lines, "\n")
}

// Part is one part of the data, in an element of its own in the page.
type Part struct {
	Name string // name of the part; the id of the element is "d-" and the name
	Text string // content: gzipped JSON in base64
}

const (
	partLead = `<script type="text/plain" id="d-`
	partTail = "</script>\n"
)

// Size returns how many bytes the part with its element adds to the page.
func (p Part) Size() int64 {
	return int64(len(partLead) + len(p.Name) + 2 + len(p.Text) + len(partTail))
}

// Packed contains the data of a page, ready to be written.
type Packed struct {
	Parts          []Part
	Trials         int64
	Traced         int64    // number of trials with their trace in the data
	BytesOverLimit int64    // how many bytes the page exceeds its maximum size; 0: it does not
	Notes          []string // messages on traces that could not be read
}

// Size returns how many bytes all parts add to the page.
func (p Packed) Size() (n int64) {
	for _, part := range p.Parts {
		n += part.Size()
	}
	return n
}

// WriteTo writes all parts as HTML elements.
func (p Packed) WriteTo(w io.Writer) (n int64, err error) {
	for _, part := range p.Parts {
		m, err := io.WriteString(w, partLead+part.Name+`">`+part.Text+partTail)
		if n += int64(m); err != nil {
			return n, fmt.Errorf("write the part %s: %w", part.Name, err)
		}
	}
	return n, nil
}

// compressor encodes values as parts. It reuses its buffers, because they are large.
type compressor struct {
	out bytes.Buffer
	zip *gzip.Writer
}

func newCompressor() *compressor {
	zip, _ := gzip.NewWriterLevel(nil, gzip.BestCompression) // an error is impossible, because the level is valid
	return &compressor{zip: zip}
}

func (p *compressor) value(name string, v any) (Part, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return Part{}, fmt.Errorf("pack %s: %w", name, err)
	}
	return p.json(name, text)
}

// json compresses JSON text, which can consist of several pieces, to a part.
func (p *compressor) json(name string, texts ...[]byte) (Part, error) {
	p.out.Reset()
	p.zip.Reset(&p.out) // no timestamp, so that equal data give equal files
	for _, text := range texts {
		if _, err := p.zip.Write(text); err != nil {
			return Part{}, fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := p.zip.Close(); err != nil {
		return Part{}, fmt.Errorf("pack %s: %w", name, err)
	}
	return Part{Name: name, Text: base64.StdEncoding.EncodeToString(p.out.Bytes())}, nil
}

func nth(lead string, n int) string { return lead + strconv.Itoa(n) }
