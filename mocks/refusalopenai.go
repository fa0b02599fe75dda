package mocks

const badRequest = "invalid_request_error"

func (c *Call) openAIRefusal(why reason) Refusal {
	switch why {
	case noKey:
		return Refusal{Status: 401, Type: badRequest, Message: "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."}
	case badKey:
		return Refusal{Status: 401, Type: badRequest, Code: "invalid_api_key", Message: "Incorrect API key provided: " + masked(c.key()) + ". You can find your API key at https://platform.openai.com/account/api-keys."}
	case noBalance:
		return Refusal{Status: 429, Type: "insufficient_quota", Code: "insufficient_quota", Message: "You exceeded your current quota, please check your plan and billing details."}
	case denied:
		return Refusal{Status: 403, Type: badRequest, Code: "unsupported_country_region_territory", Message: "Country, region, or territory not supported"}
	case unknownPath:
		return Refusal{Status: 404, Type: badRequest, Message: "Invalid URL (" + c.Request.Method + " " + c.Request.URL.Path + ")"}
	case unknownModel:
		return Refusal{Status: 404, Type: badRequest, Code: "model_not_found", Message: "The model `" + c.Model + "` does not exist or you do not have access to it."}
	case wrongMethod:
		return Refusal{Status: 405, Type: badRequest, Code: "method_not_supported", Message: "Not allowed to " + c.Request.Method + " on " + c.Request.URL.Path + "."}
	case tooLarge:
		return Refusal{Status: 413, Type: badRequest, Message: "Request body is larger than the limit."}
	case blocked:
		return Refusal{Status: 400, Type: badRequest, Code: "content_policy_violation", Message: "Your request was rejected as a result of our safety system."}
	case rateLimited:
		return Refusal{Status: 429, Type: "requests", Code: "rate_limit_exceeded", Message: "Rate limit reached for " + c.Model + " in organization org-mock on requests per min (RPM): Limit 10000, Used 10000, Requested 1."}
	case broken:
		return Refusal{Status: 500, Type: "server_error", Message: "The server had an error while processing your request. Sorry about that!"}
	case overloaded:
		return Refusal{Status: 503, Type: "service_unavailable_error", Code: "server_is_overloaded", Message: "The engine is currently overloaded, please try again later."}
	case badJSON:
		return Refusal{Status: 400, Type: badRequest, Message: "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)"}
	}
	return Refusal{Status: 400, Type: badRequest, Message: "Invalid request."}
}

// deepSeekRefusal has the code invalid_request_error whatever the status.
func (c *Call) deepSeekRefusal(why reason) Refusal {
	r := Refusal{Status: 400, Type: badRequest, Code: badRequest, Message: "Invalid request."}
	switch why {
	case noKey:
		r.Status, r.Type, r.Message = 401, "authentication_error", "Authentication Fails (auth header format should be Bearer sk-...)"
	case badKey:
		r.Status, r.Type, r.Message = 401, "authentication_error", "Authentication Fails, Your api key: "+masked(c.key())+" is invalid"
	case noBalance:
		r.Status, r.Type, r.Message = 402, "unknown_error", "Insufficient Balance"
	case denied:
		r.Status, r.Message = 403, "Forbidden"
	case unknownPath:
		r.Status, r.Message = 404, "Not Found"
	case unknownModel:
		r.Message = "The supported API model names are " + deepSeekNames + ", but you passed " + c.Model + "."
	case wrongMethod:
		r.Status, r.Message = 405, "Method Not Allowed"
	case tooLarge:
		r.Status, r.Message = 413, "Request body is too large"
	case blocked:
		r.Message = "Content Exists Risk"
	case rateLimited:
		r.Status, r.Type, r.Message = 429, "rate_limit_error", "Rate limit reached: too many concurrent requests"
	case broken:
		r.Status, r.Type, r.Message = 500, "server_error", "Internal Server Error"
	case overloaded:
		r.Status, r.Type, r.Message = 503, "service_unavailable_error", "Service is too busy. We advise users to temporarily switch to alternative LLM API service providers."
	case badJSON:
		r.Message = "Failed to parse the request body as JSON"
	}
	return r
}

// masked shows the last characters of a key only.
func masked(key string) string {
	return "****" + key[max(0, len(key)-4):]
}
