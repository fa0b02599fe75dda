package wire

import "evalctl/mocks/model"

func (c *Call) arkRefusal(reason ErrorReason) model.ErrorResponse {
	r := model.ErrorResponse{
		Status:  400,
		Type:    "BadRequest",
		Code:    "InvalidParameter",
		Message: "The request is invalid.",
	}
	switch reason {
	case MissingAPIKey:
		r.Status = 401
		r.Type = "Unauthorized"
		r.Code = "AuthenticationError"
		r.Message = "The API key in the request is missing."
	case InvalidAPIKey:
		r.Status = 401
		r.Type = "Unauthorized"
		r.Code = "AuthenticationError"
		r.Message = "The API key format is incorrect."
	case NoBalance:
		r.Status = 403
		r.Type = "Forbidden"
		r.Code = "AccountOverdueError"
		r.Message = "The request failed because your account has an overdue balance."
	case PermissionDenied:
		r.Status = 403
		r.Type = "Forbidden"
		r.Code = "AccessDenied"
		r.Message = "The request is not allowed."
	case UnknownPath:
		r.Status = 404
		r.Type = "NotFound"
		r.Code = "NotFound"
		r.Message = "The requested path does not exist."
	case UnknownModel:
		r.Status = 404
		r.Type = "NotFound"
		r.Code = "InvalidEndpointOrModel.NotFound"
		r.Message = "The model or endpoint " + c.Model + " does not exist or you do not have access to it."
	case WrongMethod:
		r.Status = 405
		r.Type = "MethodNotAllowed"
		r.Code = "MethodNotAllowed"
		r.Message = "The method is not allowed."
	case BodyTooLarge:
		r.Status = 413
		r.Type = "RequestEntityTooLarge"
		r.Message = "The request body is too large."
	case ContentBlocked:
		r.Code, r.Message = "SensitiveContentDetected",
			"The request failed because the input may contain sensitive information."
	case RateLimited:
		r.Status = 429
		r.Type = "TooManyRequests"
		r.Code = "RateLimitExceeded.EndpointRPMExceeded"
		r.Message = "The Requests Per Minute (RPM) limit of the associated endpoint for your account has been exceeded."
	case ServerError:
		r.Status = 500
		r.Type = "InternalServerError"
		r.Code = "InternalServiceError"
		r.Message = "The service encountered an unexpected internal error."
	case Overloaded:
		r.Status = 429
		r.Type = "TooManyRequests"
		r.Code = "ServerOverloaded"
		r.Message = "The service is currently unable to handle additional requests due to server overload."
	case BadJSON:
		r.Message = "The request body is not valid JSON."
	}
	return r
}
