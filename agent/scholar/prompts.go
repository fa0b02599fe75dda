package scholar

import (
	"embed"
	"fmt"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/system"
)

//go:embed prompts/*.md
var shippedPrompts embed.FS

// prompts are what the models are told: templates, which may use places. Zero ones
// stand for the shipped.
type prompts struct {
	Intent, Questions, Simple                   llm.Prompt
	Single, Multi, MultiSynthesis, MultiMerge   llm.Prompt // summaries
	Review, ReviewSynthesis, ReviewMerge        llm.Prompt
	Critique, QA, Condensed, Compression, Grade llm.Prompt
}

// places are what a prompt may use.
type places struct {
	Documents string // a line each: id and title
	Count     int    // of documents
	Most      int    // sub-questions
	Intent    string // what the user wants, as it was recognised
	Length    int    // characters or words that a report may have, about; 0: as many as it takes
	Wrong     string // what was wrong with the answer before; "": nothing
	Question  string // what the user wants
	Context   string // what documents say
	Gaps      string // of which documents nothing is known; "": of none
	Web       string // what was found there
	Offline   string // why nothing was, though it was looked for; "": something was
	Today     string // a date, where the web was asked
}

// template is one of the prompts: the seed's thirteen, one that compresses sessions, and
// one that grades answers.
type template struct {
	file    string
	setting string // whose file takes its place
	help    string
	at      *llm.Prompt
	needs   string // the place without which nobody reads what the prompt is about; "": none
	may     string // further places that are filled in
}

func (p *prompts) templates() []template {
	return []template{
		{"intent_recognition", "prompt", "of the deciding model", &p.Intent, "", "Documents Count Wrong"},
		{"sub_question_generation", "sub-questions-prompt", "that asks for sub-questions", &p.Questions, "Documents", "Count Most"},
		{"simple_interaction", "chat-prompt", "of conversation", &p.Simple, "Web", ""},
		{"single_doc_summary", "single-summary-prompt", "of a summary of one document", &p.Single, "Context", "Question Gaps"},
		{"multi_doc_summary", "multi-summary-prompt", "of the report of a group of documents", &p.Multi, "", "Question"},
		{"multi_doc_summary_synthesis", "summary-synthesis-prompt", "of a summary of several documents", &p.MultiSynthesis, "Context", "Question Gaps"},
		{"multi_doc_summary_final_merge", "summary-merge-prompt", "that merges the reports of groups", &p.MultiMerge, "Context", "Question Gaps"},
		{"review_generation", "survey-prompt", "of a survey of one document, or of a group of them", &p.Review, "Context", "Question Gaps"},
		{"review_generation_synthesis", "survey-synthesis-prompt", "of a survey of several documents", &p.ReviewSynthesis, "Context", "Question Gaps"},
		{"review_generation_final_merge", "survey-merge-prompt", "that merges the surveys of groups", &p.ReviewMerge, "Context", "Question Gaps"},
		{"paper_review", "paper-review-prompt", "of a reviewer's judgment", &p.Critique, "Context", "Question Gaps"},
		{"literature_qa", "qa-prompt", "of answers to questions", &p.QA, "Context", "Question Gaps"},
		{"document_condensed_summary", "condensed-summary-prompt", "of one document's condensed summary", &p.Condensed, "", ""},
		{"compression", "compression-prompt", "that compresses a session", &p.Compression, "", ""},
		{"grader", "grader-prompt", "of the model that grades which facts an answer states", &p.Grade, "", ""},
	}
}

func (p prompts) orShipped() (_ prompts, err error) {
	for _, t := range p.templates() {
		if t.at.Text == "" {
			if *t.at, err = llm.LoadPrompt(shippedPrompts, "prompts/"+t.file+".md"); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// load reads a prompt that is to take the shipped one's place.
func (t template) load(path string) (llm.Prompt, error) {
	p, err := llm.LoadPromptFile(path)
	if err == nil {
		err = t.check(p)
	}
	return p, err
}

// check finds a prompt with places that there are none of, or without the one that it
// cannot do without.
func (t template) check(p llm.Prompt) error {
	const mark = "\x00"
	filled := map[string]places{"Documents": {Documents: mark}, "Context": {Context: mark}, "Web": {Web: mark}}[t.needs]
	text, err := p.Fill(filled)
	if err == nil && t.needs != "" && !strings.Contains(text, mark) {
		err = fmt.Errorf("load prompt %s: it lacks {{.%s}}, without which the model is shown none of it", p.Name, t.needs)
	}
	if err == nil {
		return nil
	}
	names := strings.Fields(t.needs + " " + t.may)
	if len(names) == 0 {
		return fmt.Errorf("%w (this prompt has no places)", err)
	}
	return fmt.Errorf("%w (this prompt has places for {{.%s}})", err, strings.Join(names, "}}, {{."))
}

// promptsOf are the shipped ones, and in their places those in the files that the
// settings name.
func promptsOf(v system.Values) (p prompts, err error) {
	for _, t := range p.templates() {
		if v[t.setting] == "" {
			continue
		}
		if *t.at, err = t.load(v[t.setting]); err != nil {
			return p, fmt.Errorf("%s: %w", t.setting, err)
		}
	}
	return p.orShipped()
}

// Hash is the prompts' version: a run with another one is another run.
func (p prompts) Hash() string {
	var b strings.Builder
	for _, t := range p.templates() {
		b.WriteString(t.at.Hash)
	}
	return b.String()
}
