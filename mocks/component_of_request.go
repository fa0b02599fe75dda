package mocks

import (
	"evalctl/mocks/component"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// assign determines the part that a request belongs to: as, if set, or the part that the path
// implies. Lists of models and downloads of images belong to no part.
func (c *call) assign(as string) {
	work := c.Place.Endpoint.Component()
	switch {
	case !c.Place.Endpoint.HasComponent():
	case as != "" && work != component.Poll:
		c.of(as)
	case work != "":
		c.of(c.s.parts.ForRole(work))
	}
}

// of assigns the call to a part.
func (c *call) of(name string) {
	c.part = c.s.part(name)
	c.ex.Part, c.ex.Component = name, c.part.component
}

// assignChat assigns a chat request that has no part yet.
func (c *call) assignChat(b *wire.ChatBody, r *model.Request) {
	if c.part == nil {
		c.of(c.speaker(b, *r))
	}
	r.Part, r.Component = c.part.name, c.part.component
}

// speaker returns the part of a chat request. The model name has priority, then the model's
// classification, then the form of the request.
func (c *call) speaker(b *wire.ChatBody, r model.Request) string {
	if b.Part != "" {
		return b.Part
	}
	r.Component = b.Component(&r)
	r.Part = c.s.parts.ForRole(r.Component)
	if k, ok := c.s.model.(model.Classifier); ok {
		better := k.Classify(r)
		if work, _ := c.s.parts.Component(better); work.IsChatModel() {
			return better
		}
	}
	return r.Part
}
