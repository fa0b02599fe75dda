// Package llm calls language models: chat, streams, JSON answers and embeddings, for every provider
// with OpenAI's wire format. It limits the time of every attempt, retries where a retry can help,
// and records a span for each attempt. A failed call returns an *Error with a Kind, for use as in
// errors.Is(err, llm.KindTimeout).
//
// A Client is cheap: create one per trial. Prompts are files, see Prompt.
package llm
