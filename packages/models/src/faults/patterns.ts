/**
 * The words in which providers and local servers refuse, one pattern per kind. Order among the kinds is decided in `classify-fault.ts`.
 * Stable types and codes stand first in each; texts change without notice.
 */

/** One pattern that matches where any of the parts does. */
function anyOf(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join('|'), 'ium');
}

/** Money is gone; waiting does not help. */
export const quotaCodes = anyOf(
  /\b(?:insufficient_quota|insufficient_balance|billing_error|usage_limit_reached)\b/u,
  /\b(?:enforced_spend_limit_reached|ramp_limit_exceeded|contract_spend_limit_reached)\b/u,
);
export const quotaTexts = anyOf(
  /exceeded your current quota|insufficient (?:balance|credits?|funds)|credit balance is too low|payment required/u,
  /(?:more|enough|out of|add) credits|can only afford|reached your specified api usage limits/u,
  /prompt tokens limit exceeded: [\d,]+ > [\d,]+/u,
);

/** Comes back with time. A window of time in the text is what tells a limit on tokens per minute from one on tokens. */
export const rateTexts = anyOf(
  /\brate[_ -]?limit|(?:\b|_)per[_ -]?(?:second|min|minute|hour|day)(?:\b|_)|per(?:minute|day|hour)|\b(?:tpm|rpm|tpd|rpd|itpm|otpm)\b/u,
  /throttl|too many requests|too many tokens[^.]{0,20}please wait|resource[_ ](?:has been )?exhausted/u,
);

/** The answer was allowed to be longer than the model can write. */
export const outputCapTexts = anyOf(
  /maximum allowed number of output tokens|supports at most [\d,]+ completion tokens|range of max_tokens/u,
  /max(?:imum)?[_ ]?(?:completion_|output_|new_)?tokens\b[^.]{0,80}(?:too large|above maximum|expected a value <=|less than or equal)/u,
  /max(?:imum)?[_ ]?(?:completion_|output_|new_)?tokens\b[^.]{0,80}(?:valid range|supported range|exceeds? the model limit)/u,
);
/** Such a text that speaks of the context is about input and output together: the request is too long. */
export const bothTexts = /maximum context length|context limit/iu;

/** The input, alone or with the answer that was asked for, does not fit the window. */
export const overflowTexts = anyOf(
  /\b(?:context_length_exceeded|model_max_prompt_tokens_exceeded|exceed_context_size_error|tokens_limit_reached)\b/u,
  /\b(?:(?:model_)?context_window_exceeded|ContextWindowExceededError)\b/u,
  /^(?:code=)?1261$|'code': '1261'/u,
  /\b(?:prompt|input)(?: is| was)? too (?:long|large)/u,
  /\b(?:max|maximum) (?:context|prompt|input|model|sequence) (?:length|len|window|tokens)/u,
  /\bmodel max(?:imum)? (?:context )?length/u,
  /\bcontext[_ ](?:window|length|size|limit)\b[^.]{0,60}(?:exceed|overflow|reached|is full)/u,
  /(?:exceed|longer than|larger than|greater than|out of room|does not fit|overflows?)[^.]{0,60}\bcontext\b/u,
  /\btoken count\b[^.]{0,60}exceed/u,
  /\btokens\b[^.]{0,40}exceeds? (?:the |model )?(?:token )?(?:limit|maximum|max\b)/u,
  /(?:exceed|exceeded|exceeds)[^.]{0,30}\btoken limit/u,
  /\b(?:prompt|input)\b[^.]{0,20}exceeds? max(?:imum)? length/u,
  /\bnumber of (?:input |prompt )?tokens\b[^.]{0,40}(?:exceed|greater than|longer than|larger than)/u,
  /\brange of input length\b/u,
  /`inputs`[^.]{0,40}(?:must (?:be <=|have less than))/u,
  /reduce the length of the (?:input|prompt|messages)|reduce your prompt/u,
  /request body too large for .{1,120}max size: [\d,]+ tokens/u,
  /current length is [\d,]+ while limit is [\d,]+/u,
  /trying to keep the first [\d,]+ tokens/u,
  /too many (?:input |prompt )?tokens/u,
  /truncating input prompt/u,
);

/** Bytes, pictures or one field, whatever the tokens. */
export const payloadTexts = anyOf(
  /\b(?:request_too_large|request_body_too_large\w*|image_dimensions_too_large)\b/u,
  /request entity too large|(?:request|payload|body)(?: body| size)?(?: is)? too large|exceeds the maximum size/u,
  /image dimensions? exceed|too many images|image exceeds/u,
  /string value length \(\d+\) exceeds|string too long[^]{0,60}maximum length \d{5,}/u,
);

export const overloadedTexts = anyOf(
  /\boverloaded|server is busy|temporarily unavailable|currently unavailable|service unavailable|at capacity|internal server error/u,
  /\b(?:api_error|timeout_error|server_error)\b/u,
);

export const authTexts = anyOf(
  /\b(?:authentication_error|permission_error|invalid_api_key|AI_LoadAPIKeyError|UnrecognizedClientException|AccessDeniedException)\b/u,
  /invalid (?:x-)?api[- ]key|incorrect api key/u,
);

/** The connection, or an answer that is none. */
export const networkTexts = anyOf(
  /cannot connect to api|fetch failed|socket hang up|other side closed|\bterminated\b|network error/u,
  /failed to process successful response|invalid json response/u,
  /\bAI_(?:JSONParse|TypeValidation|EmptyResponseBody|InvalidResponseData)Error\b/u,
  /\b(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|UND_ERR_\w+|TimeoutError)\b/u,
);

export const invalidTexts = anyOf(
  /\b(?:invalid_request_error|not_found_error|bad_request_error|BadRequestError|ValidationException|invalid_prompt)\b/u,
  /\bAI_(?:UnsupportedFunctionality|InvalidPrompt|InvalidArgument|NoSuchModel)Error\b|\bMODEL_REQUEST_INVALID\b/u,
  /\bstring_above_max_length\b|string too long/u,
);
