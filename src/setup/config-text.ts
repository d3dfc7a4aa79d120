/** The configuration's text: nothing is set, and what most projects come to need stands there to be uncommented. */
export function configText(isPackage: boolean, env: readonly string[]): string {
  const schema = isPackage
    ? "# yaml-language-server: $schema=./node_modules/mcp-vcr/dist/schema/config.schema.json\n"
    : "";
  const names = env.length > 0 ? env.join(", ") : "WEATHER_TOKEN";
  return `${schema}# What mcp-vcr does in this folder. Nothing has to be set; docs/configuration.md of mcp-vcr has all that can be.

# Requests that differ in these places alone are the same question:
# match:
#   tools/call search:
#     ignore: [/arguments/requestedAt]

# Known credentials are taken out of what is recorded. What else has to be, by environment variable, key or pattern:
# redact:
#   env: [${names}]
#   keys: [customerNumber]
#   patterns: ['ACME-\\d{6}']

# One request more than was recorded is a miss:
# serve:
#   strict: true
`;
}
