package studio

import (
	"context"
	"fmt"

	"evalctl/agent/imagegen"
	"evalctl/agent/trace"
)

// DashScope generates images with DashScope, the model service of Alibaba Cloud. Its client should
// have the node "executor" and the retries of ImageRetries.
type DashScope struct{ Client *imagegen.Client }

var _ ImageGenerator = DashScope{}

// Paint edits the base image of the request. Without a base image it generates a new image. For
// another task than TextToImage, this is recorded as a fallback.
func (d DashScope) Paint(ctx context.Context, j ImageRequest) (Image, error) {
	if j.Base == "" {
		return d.generate(ctx, j)
	}
	return d.edit(ctx, j)
}

// generate creates a new image. Of the parameters, it uses only the size.
func (d DashScope) generate(ctx context.Context, j ImageRequest) (Image, error) {
	if j.Task != TextToImage {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindFallback,
			Node:   executorNode,
			From:   string(j.Task),
			To:     string(TextToImage),
			Reason: "no_base_image",
		})
	}
	width, height, _, ok := parameters(j.Parameters).size()
	if !ok {
		unused(ctx, j, "")
		p, err := d.Client.Generate(ctx, j.Prompt)
		return Image{URL: p.URL, Task: TextToImage}, err
	}
	unused(ctx, j, resolution)
	requested, size := fmt.Sprintf("%d*%d", width, height), d.Client.SizeFor(width, height)
	if size != requested && j.Retry == 0 {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindIgnoredInput,
			Node:   executorNode,
			From:   requested,
			To:     size,
			Reason: "nearest_size",
			Text:   resolution,
		})
	}
	p, err := d.Client.GenerateSized(ctx, j.Prompt, size)
	return Image{URL: p.URL, Task: TextToImage}, err
}

// edit changes the base image. Of the parameters, it uses only the strength, and only without a
// mask.
func (d DashScope) edit(ctx context.Context, j ImageRequest) (Image, error) {
	r := imagegen.EditRequest{Prompt: j.Prompt, Base: j.Base, Mask: j.Mask}
	used := ""
	if v, _, ok := parameters(j.Parameters).strength(); ok && j.Mask == "" {
		r.Strength, used = &v, styleStrength
	}
	unused(ctx, j, used)
	p, err := d.Client.Edit(ctx, r)
	return Image{URL: p.URL}, err
}

// unused records, once per turn, the parameters that the service does not support.
func unused(ctx context.Context, j ImageRequest, usedName string) {
	if names := parameters(j.Parameters).others(usedName); names != "" && j.Retry == 0 {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindIgnoredInput,
			Node:   executorNode,
			Reason: "unsupported",
			Text:   names,
		})
	}
}
