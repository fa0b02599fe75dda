package backend

import (
	"fmt"
	"net/http"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/mocks"
)

// Connect returns a function that returns the endpoint of each component (by name) for one trial of
// variant v.
func (b *Backend) Connect(t eval.Trial, v suite.Variant) (func(string) system.Endpoint, error) {
	w, ok := b.wirings[v.Name]
	if !ok {
		return nil, fmt.Errorf("variant %s is not in suite %s", v.Name, b.suite.Name)
	}
	return (&links{
		Backend: b,
		trial:   t,
		variant: v.Name,
		wiring:  w,
	}).endpoint, nil
}

// links creates the endpoints of a trial's components on demand, because a trial may not use all of
// them.
type links struct {
	*Backend
	trial   eval.Trial
	variant string
	wiring  wiring

	turns *caseTurns
	mock  *mocks.Server // the trial's simulation; nil: no simulated component was used yet
	// HTTP clients of real components; one each, because middleware counts the calls of a component
	clients map[string]*http.Client
}

// endpoint returns the endpoint of a component. It panics if the system has no such component.
func (l *links) endpoint(part string) system.Endpoint {
	if _, ok := l.wiring.endpoints[part]; !ok {
		panic(fmt.Sprintf("%s declares no part %q (it has: %s)", l.suite.Target, part,
			suggest.JoinWords(l.parts.Names())))
	}
	if link, ok := l.wiring.real[part]; ok {
		link.HTTP = l.client(part)
		return link
	}
	if l.turns == nil {
		l.turns = turnsOf(executedTurns(l.trial))
	}
	if l.wiring.baselineModel != nil && part == l.labels.system.DecidingComponent().Name {
		return l.baselineModelEndpoint(l.trial, l.wiring, l.turns)
	}
	if l.mock == nil {
		l.mock = l.mustServer(l.trial, l.wiring, l.turns)
	}
	return l.mockEndpoint(l.mock, part)
}

// client returns the HTTP client for calls of a real component, wrapped in the middleware.
func (l *links) client(part string) *http.Client {
	if l.clients == nil {
		l.clients = map[string]*http.Client{}
	}
	if l.clients[part] == nil {
		l.clients[part] = wrapClient(l.middleware, l.callOf(l.trial, l.variant, part), l.http)
	}
	return l.clients[part]
}
