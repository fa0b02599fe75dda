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

// prompts contains the prompt templates. Zero fields are replaced by the built-in prompts.
type prompts struct {
	Intent, Questions, Simple                   llm.Prompt
	Single, Multi, MultiSynthesis, MultiMerge   llm.Prompt // summaries of one or several documents
	Review, ReviewSynthesis, ReviewMerge        llm.Prompt
	Critique, QA, Condensed, Compression, Grade llm.Prompt
}

// promptData is the data that a prompt template can use.
type promptData struct {
	Documents string // list of the documents: ID and title per line
	Count     int    // number of documents
	Most      int    // highest number of sub-questions
	Intent    string // the intent of the user's message
	Length    int    // approximate length of a report in characters or words; 0: any length
	Wrong     string // error of the model's previous answer; "": none
	Question  string // the user's message
	Context   string // content of the documents
	Gaps      string // documents without content; "": none
	Web       string // results of the web search
	Offline   string // why requested web results are missing; "": they are not missing, or were not requested
	Today     string // date of the web search
}

// template describes one of the prompts: where it is stored, and which data it may use.
type template struct {
	file    string
	setting string // name of the setting that replaces the prompt
	help    string
	at      *llm.Prompt
	needs   string // data field that the prompt must use; "": none
	may     string // data fields that the prompt may use
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

// texts returns the texts of the prompts by the setting that replaces each.
func (p prompts) texts() map[string]string {
	texts := map[string]string{}
	for _, t := range p.templates() {
		texts[t.setting] = t.at.Text
	}
	return texts
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

// load reads and validates a prompt file of the user.
func (t template) load(path string) (llm.Prompt, error) {
	p, err := llm.LoadPromptFile(path)
	if err == nil {
		err = t.check(p)
	}
	return p, err
}

// check returns an error if a prompt uses an unknown field, or does not use the required one.
func (t template) check(p llm.Prompt) error {
	const mark = "\x00"
	filled := map[string]promptData{"Documents": {Documents: mark}, "Context": {Context: mark},
		"Web": {Web: mark}}[t.needs]
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

// promptsOf returns the prompts that the settings select: files, and built-in prompts otherwise.
func promptsOf(v system.SettingValues) (p prompts, err error) {
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

// Hash returns the version of the prompts. Runs with different versions are not comparable.
func (p prompts) Hash() string {
	var b strings.Builder
	for _, t := range p.templates() {
		b.WriteString(t.at.Hash)
	}
	return b.String()
}
