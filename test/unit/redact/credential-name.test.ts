import { describe, expect, test } from "vitest";
import { endsAsCredential, namesCredential } from "../../../src/redact/credential-name.ts";

const words = (list: string): string[] => list.trim().split(/\s+/);

const CREDENTIALS = [
  ...words(`
    password passwd pwd pass passphrase passcode secret client_secret clientSecret token access_token refresh_token
    id_token api_key apiKey api-key apikey APIKey API_KEY APIkey auth authorization Authorization cookie Set-Cookie
    cookies credential credentials private_key privateKey session_token sessionToken bearer x-api-key X-Auth-Token
    connectionString connection_string jwt otp dsn githubToken githubtoken DB_PASSWORD dbpassword db_pass SMTP_PASS
    AWS_SECRET_ACCESS_KEY secretAccessKey aws_session_token OAuthToken oauth_token csrf-token accessToken2 ssh-key
    signing_key ENCRYPTION_KEY accessTokens apiKeys passwords auth_header code_verifier device_code authorization_code
    client_assertion proxy-authorization registration_access_token secret_id passwordHash`),
  "API Key",
  "Private key",
  "my secret",
];

const OTHERS = [
  ...words(`
    progressToken progress_token progresstoken maxTokens max_tokens nextCursor cursor requestState token_endpoint
    token_endpoint_auth_methods_supported tokenType token_type tokens tokenCount prompt_tokens totalTokens nextToken
    nextPageToken pageToken continuationToken syncToken resumptionToken authorization_endpoint authorization_servers
    authorizationUrl authenticated authentication author authors authority keyword keywords key keys publicKey
    public_key passed passing compass bypass secretary tokenizer tokenize tokenized cookieName cookieConsent
    passwordPolicy password_expires_at client_secret_expires_at token_id api_key_id private_key_id secretName
    tokenUrl tokenLimit authType auth_method authProvider bearerFormat bearer_methods_supported oauth OAuth
    primaryKey foreign_key keyboard monkey code error_code string connection designToken stop_token eos_token
    tokensPerSecond code_challenge credentialSource constructor __proto__ toString`),
  "",
  " ",
  'password"',
  `${"a".repeat(60)}_token`,
];

describe("names of credentials", () => {
  test.each(CREDENTIALS)("%s is one", (name) => {
    expect(namesCredential(name)).toBe(true);
    expect(endsAsCredential(name)).toBe(true);
  });

  test.each(OTHERS)("%s is none", (name) => {
    expect(namesCredential(name)).toBe(false);
    expect(endsAsCredential(name.replace('"', "#"))).toBe(false);
  });

  test("a key may say more after the name, a name given as a value may not", () => {
    expect(namesCredential("token (required)")).toBe(true);
    expect(endsAsCredential("token (required)")).toBe(false);
    expect(endsAsCredential("your token")).toBe(true);
  });
});
