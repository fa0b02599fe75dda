package mocks

import (
	"evalctl/mocks/component"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// assignByPath determines the part that a request belongs to: part, if set, or the part that the
// path implies. Lists of models and downloads of images belong to no part.
func (c *call) assignByPath(part string) {
	role := c.Route.Endpoint.Component()
	switch {
	case !c.Route.Endpoint.HasComponent():
	case part != "" && role != component.Poll:
		c.setPart(part)
	case role != "":
		c.setPart(c.state.parts.ForRole(role))
	}
}

// setPart assigns the call to a part.
func (c *call) setPart(name string) {
	c.part = c.state.part(name)
	c.entry.Part, c.entry.Component = name, c.part.component
}

// assignChat assigns a chat request that has no part yet.
func (c *call) assignChat(b *wire.ChatBody, r *model.Request) {
	if c.part == nil {
		c.setPart(c.chatPart(b, *r))
	}
	r.Part, r.Component = c.part.name, c.part.component
}

// chatPart returns the part of a chat request. The model name has priority, then the model's
// classification, then the form of the request.
func (c *call) chatPart(b *wire.ChatBody, r model.Request) string {
	if b.Part != "" {
		return b.Part
	}
	r.Component = b.Component(&r)
	r.Part = c.state.parts.ForRole(r.Component)
	if k, ok := c.state.model.(model.Classifier); ok {
		classified := k.Classify(r)
		if role, _ := c.state.parts.Component(classified); role.IsChatModel() {
			return classified
		}
	}
	return r.Part
}
