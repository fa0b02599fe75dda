package mocks

import (
	"evalctl/mocks/component"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// assign settles whose call it is, as far as its path tells, or the part as
// which it comes. A list of models and a picture are nobody's.
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

// of makes the call a part's.
func (c *call) of(name string) {
	c.part = c.s.part(name)
	c.ex.Part, c.ex.Component = name, c.part.component
}

// assignChat settles whose chat request it is, where nothing has yet.
func (c *call) assignChat(b *wire.ChatBody, r *model.Request) {
	if c.part == nil {
		c.of(c.speaker(b, *r))
	}
	r.Part, r.Component = c.part.name, c.part.component
}

// speaker is the part that a chat request itself tells.
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
