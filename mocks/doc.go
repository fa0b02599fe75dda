// Package mocks simulates the HTTP APIs of model, image, embedding and search providers.
//
// It supports OpenAI, DeepSeek, DashScope (compatible mode and native) and Ark, the search engines
// Tavily and Bocha, and RAGFlow retrieval. Paths, errors, streams and known peculiarities match the
// real services. A Server is an http.Handler. It waits only on the clock of the request's context,
// so it works in real and in simulated time.
//
// Tools in a request are called as its tool_choice specifies. A model.Labeled calls the tool whose
// name is its label. Answers match the JSON schemas in the request.
//
// A model.Model generates the answers:
//
// - script.Script follows the rules of a YAML file
// - model.Labeled is a router with given accuracy, confusion, calibration and consistency
// - model.SimulatedCritic is a critic with given quality and noise
//
// Faults and latencies are set per part of the agent. For parts inside the process,
// Server.CallLocal applies them. Everything is seeded: the same seed and order of calls give the
// same bytes, except for times. Server.ForComponent assigns requests to a part; over a socket, the
// model name can do the same, as PART or PART/NAME.
package mocks
