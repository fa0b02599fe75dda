// Package mocks plays the providers of models, pictures and embeddings on the
// wire: OpenAI, DeepSeek, DashScope (compatible mode and native) and Ark, the search
// engines Tavily and Bocha, and RAGFlow's retrieval, each on its real paths, with its
// real errors, streams and quirks, so that a real client cannot tell. A Server is an
// http.Handler; it waits on the clock of the request's context only and so works in
// real and in simulated time.
//
// Tools that a request offers are called as its tool_choice has it, by a
// model.Labeled where its label is a tool's name, and answers fit the schemas
// that a request brings.
//
// What the models say comes from a model.Model: a script.Script (a YAML file),
// model.Labeled (a router of known accuracy, confusion, calibration and consistency) or
// model.SimulatedCritic (a critic of known quality and spread). Faults and latencies are
// set per part of the agent, those in the process included, which only
// Server.CallLocal plays, and seeded: the same seed and order of calls give the same
// answers, byte for byte but for the time. Server.ForComponent tells whose requests they
// are; over a socket the model's name may, as PART or PART/NAME.
package mocks
