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

// prompts are the prompt templates, which may use the fields of places. Zero fields are replaced by
// the built-in ones.
type prompts struct {
	Intent, Questions, Simple                   llm.Prompt
	Single, Multi, MultiSynthesis, MultiMerge   llm.Prompt // summaries
	Review, ReviewSynthesis, ReviewMerge        llm.Prompt
	Critique, QA, Condensed, Compression, Grade llm.Prompt
}

// places is the data of a prompt template.
type places struct {
	Documents string // one per line: id and title
	Count     int    // of documents
	Most      int    // maximum number of sub-questions
	Intent    string // the recognized intent
	Length    int    // approximate length of a report in characters or words; 0: any
	Wrong     string // error of the answer before; "": none
	Question  string // the user's message
	Context   string // content of the documents
	Gaps      string // documents without content; "": none
	Web       string // web search results
	Offline   string // why there are no web search results; "": there are some, or none were requested
	Today     string // the date of a web search
}

// template is one of the prompts: thirteen of the specification, one for compression, and one for
// grading.
type template struct {
	file    string
	setting string // setting that replaces the prompt
	help    string
	at      *llm.Prompt
	needs   string // required field of places; "": none
	may     string // optional fields of places
}

func (p *prompts) templates() []template {
	return []template{
		{"intent_recognition", "prompt", "of the deciding model", &p.Intent, "", "Documents Count Wrong"},
		{"sub_question_generation", "sub-questions-prompt", "that asks for sub-questions", &p.Questions,
			"Documents", "Count Most"},
		{"simple_interaction", "chat-prompt", "of conversation", &p.Simple, "Web", ""},
		{"single_doc_summary", "single-summary-prompt", "of a summary of one document", &p.Single,
			"Context", "Question Gaps"},
		{"multi_doc_summary", "multi-summary-prompt", "of the report of a group of documents",
			&p.Multi, "", "Question"},
		{"multi_doc_summary_synthesis", "summary-synthesis-prompt", "of a summary of several documents",
			&p.MultiSynthesis, "Context", "Question Gaps"},
		{"multi_doc_summary_final_merge", "summary-merge-prompt", "that merges the reports of groups", &p.MultiMerge,
			"Context", "Question Gaps"},
		{"review_generation", "survey-prompt", "of a survey of one document, or of a group of them", &p.Review,
			"Context", "Question Gaps"},
		{"review_generation_synthesis", "survey-synthesis-prompt", "of a survey of several documents",
			&p.ReviewSynthesis, "Context", "Question Gaps"},
		{"review_generation_final_merge", "survey-merge-prompt", "that merges the surveys of groups", &p.ReviewMerge,
			"Context", "Question Gaps"},
		{"paper_review", "paper-review-prompt", "of a reviewer's judgment", &p.Critique, "Context", "Question Gaps"},
		{"literature_qa", "qa-prompt", "of answers to questions", &p.QA, "Context", "Question Gaps"},
		{"document_condensed_summary", "condensed-summary-prompt", "of one document's condensed summary",
			&p.Condensed, "", ""},
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

// load reads a custom prompt.
func (t template) load(path string) (llm.Prompt, error) {
	p, err := llm.LoadPromptFile(path)
	if err == nil {
		err = t.check(p)
	}
	return p, err
}

// check returns an error if a prompt uses unknown fields, or lacks its required one.
func (t template) check(p llm.Prompt) error {
	const mark = "\x00"
	filled := map[string]places{"Documents": {Documents: mark}, "Context": {Context: mark}, "Web": {Web: mark}}[t.needs]
	text, err := p.Fill(filled)
	if err == nil && t.needs != "" && !strings.Contains(text, mark) {
		err = fmt.Errorf("load prompt %s: it lacks {{.%s}}, without which the model is shown none of it",
			p.Name, t.needs)
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

// promptsOf are the built-in prompts, replaced by the files that the settings name.
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

// Hash is the version of the prompts. Runs with different versions are not comparable.
func (p prompts) Hash() string {
	var b strings.Builder
	for _, t := range p.templates() {
		b.WriteString(t.at.Hash)
	}
	return b.String()
}
