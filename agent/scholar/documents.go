package scholar

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/recall"
)

// Limits on the documents of a turn.
const (
	maxDocuments = 1000
	maxAttached  = 16 << 20 // bytes of all attached documents together
	maxSections  = 100_000  // sections of all attached documents together; below the limit of package index
)

// stateChecks returns the checks of a turn's state, by key.
func stateChecks() map[string]func(json.RawMessage) error {
	return map[string]func(json.RawMessage) error{
		"documents": func(raw json.RawMessage) error { _, err := readChosen(raw); return err },
	}
}

// readChosen parses the list of IDs of the papers that the user chose.
func readChosen(raw json.RawMessage) (ids []string, err error) {
	if err := json.Unmarshal(raw, &ids); err != nil {
		return nil, fmt.Errorf("%.60s is not a list of ids such as [\"zh-03\"]", raw)
	}
	if len(ids) > maxDocuments {
		return nil, fmt.Errorf("%d documents are more than %d", len(ids), maxDocuments)
	}
	seen := map[string]bool{}
	for _, id := range ids {
		if err := checkID(id); err != nil {
			return nil, err
		}
		if seen[id] {
			return nil, fmt.Errorf("%.40q is there twice", id)
		}
		seen[id] = true
	}
	return ids, nil
}

// readDocuments collects the documents of the turn: the chosen papers, then the attached documents.
// The error is a *rejection, or that of the context if it ended.
func (r *run) readDocuments(ctx context.Context) error {
	var ids []string
	if raw, ok := r.turn.State["documents"]; ok && string(raw) != "null" {
		var err error
		if ids, err = readChosen(raw); err != nil {
			return newRejection(badDocuments, err.Error(), err.Error())
		}
	}
	if n := len(ids) + len(r.turn.Documents); n > maxDocuments {
		return newRejection(tooManyDocuments, fmt.Sprintf("一次最多处理 %d 篇文献，这次有 %d 篇。", maxDocuments, n),
			fmt.Sprintf("I can work on at most %d documents at once; these are %d.", maxDocuments, n))
	}
	remote, err := r.remoteNames(ctx, ids)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, id := range ids {
		paper := r.Library.papers[id]
		if name, ok := remote[id]; ok {
			paper = &document{ID: id, Title: cmp.Or(name, id), IsRemote: true, count: func() int { return 0 }}
		}
		if paper == nil {
			return newRejection(unknownDocument, fmt.Sprintf("没有编号为“%s”的文献。", id),
				fmt.Sprintf("There is no document %q.", id))
		}
		seen[id] = true
		r.docs = append(r.docs, paper)
	}
	return r.readAttached(seen)
}

// remoteNames returns the names of the documents that only the retrieval service has, by ID.
func (r *run) remoteNames(ctx context.Context, ids []string) (map[string]string, error) {
	q := r.query("")
	for _, id := range ids {
		if r.Library.papers[id] == nil {
			q.Documents = append(q.Documents, id)
		}
	}
	namer, ok := r.Recall.(recall.DocumentNamer)
	if !ok || len(q.Documents) == 0 {
		return nil, nil
	}
	names, err := namer.DocumentNames(ctx, q, r.slots)
	switch llm.KindOf(err) {
	case llm.KindBadRequest, llm.KindNotFound: // the service has no such dataset, or no list of documents
		return nil, nil
	}
	if err != nil && ctx.Err() == nil {
		err = newRejection(recallFailed, errorReplies[recallFailed][0], errorReplies[recallFailed][1])
	}
	return names, err
}

func (r *run) readAttached(seen map[string]bool) error {
	size, sections := 0, 0
	for _, d := range r.turn.Documents {
		name := strings.TrimSpace(d.Name)
		if err := checkID(name); err != nil {
			return newRejection(badDocuments, fmt.Sprintf("附件的名字不能用：%.40q。", name), err.Error())
		}
		if seen[name] || r.Library.papers[name] != nil {
			return newRejection(badDocuments, fmt.Sprintf("附件“%s”与另一篇文献重名，请把其中一篇换个名字再发。", name),
				fmt.Sprintf("Two documents have the name %q. Please send one of them under another name.", name))
		}
		if size += len(d.Content); size > maxAttached {
			return newRejection(documentsTooLarge, fmt.Sprintf("附件合计超过 %d MB。", maxAttached>>20),
				fmt.Sprintf("The attached documents have more than %d MB.", maxAttached>>20))
		}
		if sections += strings.Count(d.Content, "\n## "); sections > maxSections {
			return newRejection(documentsTooLarge, fmt.Sprintf("附件合计超过 %d 节。", maxSections),
				fmt.Sprintf("The attached documents have more than %d sections.", maxSections))
		}
		seen[name] = true
		own := newDocument(name, d.Content)
		own.IsAttachment = true
		r.docs = append(r.docs, own)
	}
	return nil
}

// refuseUnreadable rejects a turn without any readable document. If only some documents are
// unreadable, they are traced and not searched.
func (r *run) refuseUnreadable(ctx context.Context) error {
	var names []string
	for _, d := range r.docs {
		if !d.isReadable() {
			names = append(names, d.ID)
		}
	}
	if len(names) == 0 {
		return nil
	}
	if len(names) == len(r.docs) {
		list := strings.Join(names[:min(len(names), 5)], ", ")
		return newRejection(emptyDocument, "文献里没有可以阅读的文字："+list, "There is nothing to read in: "+list)
	}
	for _, name := range names {
		traceIgnored(ctx, strategyNode, name, "", "", "empty_document")
	}
	return nil
}

// document returns the document of the turn with this ID; nil if there is none.
func (r *run) document(id string) *document {
	for _, d := range r.docs {
		if d.ID == id {
			return d
		}
	}
	return nil
}
