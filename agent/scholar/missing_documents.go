package scholar

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// name is how models and users are told of a document: it can be cited by its id.
func (d *document) name() string { return fmt.Sprintf("[%s] 《%s》", d.ID, d.Title) }

// findGaps notes of which documents the plan has brought no passage: those in which it
// looked for something, or that cannot be read, those that it could not search, and those
// of which it asked nothing.
func (r *run) findGaps(ctx context.Context) {
	asked := r.targets()
	for _, d := range r.docs {
		alone := slices.ContainsFunc(r.steps, func(s step) bool { return s.isOf(d) })
		switch {
		case slices.Contains(r.shown, d.ID):
		case d.Text != "" && !slices.Contains(asked, d.ID):
			r.unasked = append(r.unasked, d.name())
			unused(ctx, planNode, "documents", d.ID, "", "not_requested")
		case d.Text != "" && r.isClosed(d):
			r.closed = append(r.closed, d.name())
		case d.Text == "" || alone:
			r.unfound = append(r.unfound, d.name())
		}
	}
}

// isOf tells a step that is of one document alone.
func (s step) isOf(d *document) bool { return len(s.documents) == 1 && s.documents[0] == d }

// isClosed tells a document that was looked into and never answered.
func (r *run) isClosed(d *document) bool {
	closed := false
	for i, s := range r.steps {
		switch {
		case !slices.Contains(s.documents, d):
		case r.lost[i] == nil && !slices.Contains(r.shut[i], d):
			return false
		default:
			closed = true
		}
	}
	return closed
}

// gapsNote tells the answering model of which documents nothing is known.
func (r *run) gapsNote() string {
	list := slices.Concat(r.gaps, r.closed, r.unfound, r.unasked)
	if len(list) == 0 {
		return ""
	}
	names, more := firstOf(list)
	return "\n以下文献没有可用的内容，不要编造：" + strings.Join(names, "、") + more[0] + "\n"
}

// missing tells the user what the answer does not know: of which documents, and why, and
// what of the others was too long.
func (r *run) missing() string {
	notes := ""
	for _, n := range []struct {
		names  []string
		zh, en string
	}{
		{r.gaps, "以下文献未能总结，没有计入：", "Left out, because they could not be summarised: "},
		{r.closed, "以下文献检索失败：", "Could not be searched: "},
		{r.unfound, "以下文献未检索到相关内容：", "Nothing was found in: "},
		{r.unasked, "以下文献没有检索：", "Not searched: "},
	} {
		if len(n.names) == 0 {
			continue
		}
		names, more := firstOf(n.names)
		notes += r.say("\n\n（"+n.zh+strings.Join(names, "、")+more[0]+"）", "\n\n("+n.en+strings.Join(names, ", ")+more[1]+")")
	}
	if r.cut > 0 {
		notes += r.say(fmt.Sprintf("\n\n（有 %d 份总结或分组报告太长，只用了前面的部分。）", r.cut),
			fmt.Sprintf("\n\n(Summaries or reports that were too long, and are used but for their beginning: %d.)", r.cut))
	}
	return notes
}

// firstOf are the first of many names, and what stands for the others in Chinese and in
// English.
func firstOf(names []string) (first []string, more [2]string) {
	const most = 20
	if len(names) > most {
		return names[:most], [2]string{fmt.Sprintf(" 等 %d 篇", len(names)), fmt.Sprintf(", … (%d)", len(names))}
	}
	return names, more
}
