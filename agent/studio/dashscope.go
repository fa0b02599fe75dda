package studio

import (
	"context"

	"evalctl/agent/imagegen"
)

// DashScope really paints. Its client should have the node "executor" and
// PaintRetries.
type DashScope struct{ Client *imagegen.Client }

var _ Painter = DashScope{}

// Paint edits the picture that the job is about, and makes a new one where
// there is none.
func (d DashScope) Paint(ctx context.Context, j Job) (Picture, error) {
	if j.Base == "" {
		p, err := d.Client.Generate(ctx, j.Prompt)
		return Picture{URL: p.URL}, err
	}
	p, err := d.Client.Edit(ctx, imagegen.EditRequest{Prompt: j.Prompt, Base: j.Base, Mask: j.Mask})
	return Picture{URL: p.URL}, err
}
