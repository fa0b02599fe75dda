package mocks

// refusal is the dialect's error for a reason. Reasons that a dialect does not
// tell apart are an invalid request to it.
func (c *call) refusal(why reason) Refusal {
	switch c.place.dialect {
	case DeepSeek:
		return c.deepSeekRefusal(why)
	case DashScope:
		return c.dashScopeRefusal(why)
	case Native:
		return c.nativeRefusal(why)
	case Ark:
		return c.arkRefusal(why)
	}
	return c.openAIRefusal(why)
}

const badRequest = "invalid_request_error"

func (c *call) openAIRefusal(why reason) Refusal {
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
		return Refusal{Status: 404, Type: badRequest, Message: "Invalid URL (" + c.r.Method + " " + c.r.URL.Path + ")"}
	case unknownModel:
		return Refusal{Status: 404, Type: badRequest, Code: "model_not_found", Message: "The model `" + c.ex.Model + "` does not exist or you do not have access to it."}
	case wrongMethod:
		return Refusal{Status: 405, Type: badRequest, Code: "method_not_supported", Message: "Not allowed to " + c.r.Method + " on " + c.r.URL.Path + "."}
	case tooLarge:
		return Refusal{Status: 413, Type: badRequest, Message: "Request body is larger than the limit."}
	case blocked:
		return Refusal{Status: 400, Type: badRequest, Code: "content_policy_violation", Message: "Your request was rejected as a result of our safety system."}
	case rateLimited:
		return Refusal{Status: 429, Type: "requests", Code: "rate_limit_exceeded", Message: "Rate limit reached for " + c.ex.Model + " in organization org-mock on requests per min (RPM): Limit 10000, Used 10000, Requested 1."}
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
func (c *call) deepSeekRefusal(why reason) Refusal {
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
		r.Message = "The supported API model names are " + deepSeekNames + ", but you passed " + c.ex.Model + "."
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

func (c *call) dashScopeRefusal(why reason) Refusal {
	r := Refusal{Status: 400, Type: badRequest, Code: "invalid_parameter_error", Message: invalidParameter + "The request is invalid."}
	switch why {
	case noKey:
		r.Status, r.Code, r.Message = 401, "invalid_api_key", "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
	case badKey:
		r.Status, r.Code, r.Message = 401, "invalid_api_key", "Incorrect API key provided."
	case noBalance:
		r.Code, r.Message = "Arrearage", "Access denied, please make sure your account is in good standing."
	case denied:
		r.Status, r.Code, r.Message = 403, "access_denied", "Access denied."
	case unknownPath:
		r.Status, r.Code, r.Message = 404, "not_found", "Not Found"
	case unknownModel:
		r.Status, r.Code, r.Message = 404, "model_not_found", "The model `"+c.ex.Model+"` does not exist or you do not have access to it."
	case wrongMethod:
		r.Status, r.Code, r.Message = 405, "method_not_allowed", "Request method '"+c.r.Method+"' not supported"
	case tooLarge:
		r.Status, r.Code, r.Message = 413, "request_too_large", "Exceeded limit on max bytes to buffer."
	case blocked:
		r.Code, r.Message = "data_inspection_failed", "<400> InternalError.Algo.DataInspectionFailed: Input data may contain inappropriate content."
	case rateLimited:
		r.Status, r.Type, r.Code, r.Message = 429, "limit_requests", "limit_requests", "You exceeded your current requests list."
	case broken:
		r.Status, r.Type, r.Code, r.Message = 500, "internal_error", "internal_error", "<500> InternalError.Algo: An internal error has occured, please try again later."
	case overloaded:
		r.Status, r.Type, r.Code, r.Message = 503, "internal_error", "internal_error", "<503> ModelServingError: Too many requests. Your requests are being throttled due to system capacity limits."
	}
	return r
}

func (c *call) nativeRefusal(why reason) Refusal {
	switch why {
	case noKey:
		return Refusal{Status: 401, Code: "InvalidApiKey", Message: "No API-key provided."}
	case badKey:
		return Refusal{Status: 401, Code: "InvalidApiKey", Message: "Invalid API-key provided."}
	case noBalance:
		return Refusal{Status: 400, Code: "Arrearage", Message: "Access denied, please make sure your account is in good standing."}
	case denied:
		return Refusal{Status: 403, Code: "AccessDenied", Message: "Access denied."}
	case unknownPath:
		return Refusal{Status: 404, Code: "NotFound", Message: "Not Found"}
	case unknownModel:
		return Refusal{Status: 404, Code: "ModelNotFound", Message: "Model can not be found."}
	case wrongMethod:
		return Refusal{Status: 405, Code: "MethodNotAllowed", Message: "Request method '" + c.r.Method + "' not supported"}
	case tooLarge:
		return Refusal{Status: 413, Code: "BadRequest.TooLarge", Message: "Payload Too Large"}
	case blocked:
		return Refusal{Status: 400, Code: "DataInspectionFailed", Message: "Input data may contain inappropriate content."}
	case rateLimited:
		return Refusal{Status: 429, Code: "Throttling.RateQuota", Message: "Requests rate limit exceeded, please try again later."}
	case broken:
		return Refusal{Status: 500, Code: "InternalError.Algo", Message: "An internal error has occurred during execution, please try again later."}
	case overloaded:
		return Refusal{Status: 503, Code: "ModelServingError", Message: "Too many requests. Your requests are being throttled due to system capacity limits."}
	case timedOut:
		return Refusal{Status: 408, Code: "RequestTimeOut", Message: "Request timed out, please try again later."}
	}
	return Refusal{Status: 400, Code: "InvalidParameter", Message: "Required parameter(s) missing or invalid, please check the request parameters."}
}

func (c *call) arkRefusal(why reason) Refusal {
	r := Refusal{Status: 400, Type: "BadRequest", Code: "InvalidParameter", Message: "The request is invalid."}
	switch why {
	case noKey:
		r.Status, r.Type, r.Code, r.Message = 401, "Unauthorized", "AuthenticationError", "The API key in the request is missing."
	case badKey:
		r.Status, r.Type, r.Code, r.Message = 401, "Unauthorized", "AuthenticationError", "The API key format is incorrect."
	case noBalance:
		r.Status, r.Type, r.Code, r.Message = 403, "Forbidden", "AccountOverdueError", "The request failed because your account has an overdue balance."
	case denied:
		r.Status, r.Type, r.Code, r.Message = 403, "Forbidden", "AccessDenied", "The request is not allowed."
	case unknownPath:
		r.Status, r.Type, r.Code, r.Message = 404, "NotFound", "NotFound", "The requested path does not exist."
	case unknownModel:
		r.Status, r.Type, r.Code, r.Message = 404, "NotFound", "InvalidEndpointOrModel.NotFound", "The model or endpoint "+c.ex.Model+" does not exist or you do not have access to it."
	case wrongMethod:
		r.Status, r.Type, r.Code, r.Message = 405, "MethodNotAllowed", "MethodNotAllowed", "The method is not allowed."
	case tooLarge:
		r.Status, r.Type, r.Message = 413, "RequestEntityTooLarge", "The request body is too large."
	case blocked:
		r.Code, r.Message = "SensitiveContentDetected", "The request failed because the input may contain sensitive information."
	case rateLimited:
		r.Status, r.Type, r.Code, r.Message = 429, "TooManyRequests", "RateLimitExceeded.EndpointRPMExceeded", "The Requests Per Minute (RPM) limit of the associated endpoint for your account has been exceeded."
	case broken:
		r.Status, r.Type, r.Code, r.Message = 500, "InternalServerError", "InternalServiceError", "The service encountered an unexpected internal error."
	case overloaded:
		r.Status, r.Type, r.Code, r.Message = 429, "TooManyRequests", "ServerOverloaded", "The service is currently unable to handle additional requests due to server overload."
	case badJSON:
		r.Message = "The request body is not valid JSON."
	}
	return r
}

const invalidParameter = "<400> InternalError.Algo.InvalidParameter: "

// phrase dresses a message up as the dialect words it.
func (c *call) phrase(why reason, message string) string {
	switch {
	case c.place.dialect == DashScope && why == invalid:
		return invalidParameter + message
	case c.place.dialect == OpenAI && why == badJSON:
		return c.refusal(badJSON).Message
	case c.place.dialect == DeepSeek && why == badJSON:
		return "Failed to parse the request body as JSON: " + message
	}
	return message
}

// masked shows the last characters of a key only.
func masked(key string) string {
	return "****" + key[max(0, len(key)-4):]
}
