package scholar

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// name returns the ID and title of a document, as they appear in prompts.
func (d *document) name() string { return fmt.Sprintf("[%s] 《%s》", d.ID, d.Title) }

// findGaps records the documents whose content is missing in the answer, by reason: the search
// found nothing, the text is unreadable, the search failed, the plan does not search them, or their
// passages do not fit into the prompt.
func (r *run) findGaps(ctx context.Context) {
	searched := r.targets()
	for _, d := range r.docs {
		switch {
		case slices.Contains(r.contextDocs, d.ID):
		case d.isReadable() && !slices.Contains(searched, d.ID):
			r.notSearched = append(r.notSearched, d.name())
			traceIgnored(ctx, planNode, "documents", d.ID, "", "not_requested")
		case d.isReadable() && r.allSearchesFailed(d):
			r.failedSearches = append(r.failedSearches, d.name())
		case slices.Contains(r.omittedDocs, d.ID):
			r.withoutRoom = append(r.withoutRoom, d.name())
		default:
			r.withoutHits = append(r.withoutHits, d.name())
		}
	}
}

// allSearchesFailed reports whether every search of the document failed.
func (r *run) allSearchesFailed(d *document) bool {
	closed := false
	for i, s := range r.steps {
		switch {
		case !slices.Contains(s.documents, d):
		case r.stepErrors[i] == nil && !slices.Contains(r.unsearched[i], d):
			return false
		default:
			closed = true
		}
	}
	return closed
}

// gapsNote returns a note for the answering model that lists the documents without content.
func (r *run) gapsNote() string {
	list := slices.Concat(r.withoutSummary, r.failedSearches, r.withoutHits, r.withoutRoom, r.notSearched)
	if len(list) == 0 {
		return ""
	}
	names, more := firstOf(list)
	return "\n以下文献没有可用的内容，不要编造：" + strings.Join(names, "、") + more[0] + "\n"
}

// missingNote returns a note for the user. It names the documents that the answer does not cover,
// with reasons, and the number of shortened texts.
func (r *run) missingNote() string {
	notes := ""
	for _, n := range []struct {
		names  []string
		zh, en string
	}{
		{r.withoutSummary, "以下文献未能总结，没有计入：", "Left out, because they could not be summarized: "},
		{r.failedSearches, "以下文献检索失败：", "Could not be searched: "},
		{r.withoutHits, "以下文献未检索到相关内容：", "Nothing was found in: "},
		{r.withoutRoom, "以下文献的段落放不下，没有计入：", "Left out, because their passages do not fit: "},
		{r.notSearched, "以下文献没有检索：", "Not searched: "},
	} {
		if len(n.names) == 0 {
			continue
		}
		names, more := firstOf(n.names)
		notes += r.localized("\n\n（"+n.zh+strings.Join(names, "、")+more[0]+"）",
			"\n\n("+n.en+strings.Join(names, ", ")+more[1]+")")
	}
	if r.truncated > 0 {
		notes += r.localized(fmt.Sprintf("\n\n（有 %d 份总结或分组报告太长，只用了前面的部分。）", r.truncated),
			fmt.Sprintf("\n\n(Summaries or reports that were too long, and are used but for their beginning: %d.)",
				r.truncated))
	}
	return notes
}

// firstOf returns the first 20 names. If there are more, it also returns a suffix in Chinese and
// English.
func firstOf(names []string) (first []string, more [2]string) {
	const most = 20
	if len(names) > most {
		return names[:most], [2]string{fmt.Sprintf(" 等 %d 篇", len(names)), fmt.Sprintf(", … (%d)", len(names))}
	}
	return names, more
}
