// Package mocks simulates the HTTP APIs of model, image, embedding and search providers.
//
// It supports OpenAI, DeepSeek, DashScope (compatible mode and native) and Ark, the search engines
// Tavily and Bocha, and RAGFlow retrieval. Paths, errors, streams and known peculiarities match the
// real services. A Server is an http.Handler. It reads time and waits only on the clock of the
// request's context, so it works in real and in simulated time.
//
// If a request offers tools, the answer calls them as the request's tool_choice specifies. A
// model.SimulatedRouter calls the tool whose name is its label. Answers match the JSON schemas in
// the request.
//
// A model.Model generates the answers:
//
// - script.Script follows the rules of a YAML file
// - model.SimulatedRouter is a router with given accuracy, confusion, calibration and consistency
// - model.SimulatedCritic is a critic with given quality and noise
//
// Faults and latencies are configured per component of the agent (router, image, store …).
// Server.SimulateLocalCall applies them to a component that runs inside the process. All randomness
// comes from one seed: the same seed and order of calls give the same bytes, except for times.
// Server.ForComponent assigns requests to a component; over a socket, the model name can do the
// same, as COMPONENT or COMPONENT/NAME.
package mocks
