/** Words that stand where a credential would and are none: absence, kinds of authentication, JSON types. */
const NO_SECRET =
  /^(?:true|false|yes|no|null|none|nil|undefined|required|optional|string|number|integer|boolean|object|array|bearer|basic|digest|oauth2?)$/i;

/** `${TOKEN}`, `{{ token }}`, `<token>`, `%TOKEN%`, `$TOKEN`, `****`: a place for a secret. */
const TEMPLATE = /^(?:\$\{[\w.:-]+\}|\{\{\s*[\w.-]+\s*\}\}|<[\w -]+>|%\w+%|\$[A-Za-z_]\w*|\*+|•+)$/;

/** Whether text under a credential's name may be one. Everything but absence and templates may. */
export function maySecret(text: string): boolean {
  return text.trim() !== "" && !NO_SECRET.test(text) && !TEMPLATE.test(text);
}

/** The working directory, in shells and of programs. */
const DIRECTORY_NAME = /^-{0,2}(?:old_?)?pwd$/i;
const PATH = /^(?:[/~]|%2f|[A-Za-z]:[\\/])/i;
/** What became of a test. */
const OUTCOME = /^(?:ok|pass|passed|fail|failed|failure|skip|skipped|success|error|warn|warning)$/i;

/** Whether a name is a credential's elsewhere, and with this value says where or how: `PWD=/home`, `"pass":"ok"`. */
export function saysElse(name: string, value: string): boolean {
  return (DIRECTORY_NAME.test(name) && PATH.test(value)) || (/^pass$/i.test(name) && OUTCOME.test(value));
}

/** Words that sentences have and passphrases rarely. */
const SENTENCE_WORD =
  /(?:^|\s)(?:a|an|the|is|are|of|for|to|in|your|this|that|with|used|called|must|should)(?=\s|$)/i;

/** Three words and more that speak of something. */
export function isProse(text: string): boolean {
  return /\S\s+\S+\s+\S/.test(text.slice(0, 1000)) && SENTENCE_WORD.test(text);
}

/** Whether a word in running text looks like a credential rather than a word, a number or a piece of code. */
export function looksSecret(text: string): boolean {
  if (!maySecret(text) || isCode(text)) return false;
  const letters = /[A-Za-z]/.test(text);
  if (/\d/.test(text)) return letters ? text.length >= 7 : /^\d{6,}$/.test(text);
  if (!letters) return false;
  return (
    (text.length >= 8 && /[!@#$%^&*~+=?]/.test(text)) ||
    (text.length >= 16 && changesOfCase(text) > text.length * 0.45)
  );
}

/** A call, an index, a template, a member of something, a path or an address. */
export function isCode(text: string): boolean {
  return (
    /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*[([]/.test(text) ||
    /^\$[{(]/.test(text) ||
    /^(?:[A-Za-z_$]+\.)+[A-Za-z_$]+[;,()]*$/.test(text) ||
    /^(?:process|self|this|os|config|env|settings|request|response)\./.test(text) ||
    /^(?:\.{0,2}|~)\//.test(text) ||
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  );
}

function changesOfCase(text: string): number {
  return text.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
}
