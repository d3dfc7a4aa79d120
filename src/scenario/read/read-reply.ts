import type { Members } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { Matcher } from "../matcher.ts";
import type { Reply, ReplyKind, Turn } from "../model.ts";
import { checkClientNames } from "./capability-names.ts";
import { outcomeKeys, readOutcome } from "./outcomes.ts";
import { whereabouts } from "./places.ts";
import { readMembers } from "./read-matcher.ts";
import { readSteps, refuseLooseSteps, SHORT_STEPS } from "./read-steps.ts";
import { isTask } from "./read-tasks.ts";
import { type Reading, templatedObject } from "./reading.ts";
import { type ReplyContext, WHAT } from "./reply-context.ts";

/** What decides whether a reply answers. */
const CONDITIONS = ["when", "requires", "client", "times"] as const;
const COURSE = ["steps", ...SHORT_STEPS, "set", "replies"] as const;

/** The members of a reply that say what happens. Only a tool's becomes a task. */
export function courseKeys(kind: ReplyKind): readonly string[] {
  return kind === "tool" ? COURSE : COURSE.filter((key) => key !== "task");
}

/** Replies to whoever asks for something of this kind. `matches`: there is something that `when` can match. */
export function readReplies(
  tree: Tree,
  about: { readonly kind: ReplyKind; readonly matches: boolean },
  reading: Reading,
): readonly Reply[] {
  return repliesIn(tree, { ...about, reading, readReturned });
}

function repliesIn(tree: Tree, context: ReplyContext): readonly Reply[] {
  const { shape } = context.reading;
  const items = shape.list(tree, "replies");
  if (items.length === 0) throw shape.fault(tree.at, "replies: there is none", "Leave it out, or write one.");
  return items.map((item) => readReply(item, context));
}

function readReply(tree: Tree, context: ReplyContext): Reply {
  const { reading } = context;
  const { shape } = reading;
  const what = WHAT[context.kind];
  const allowed = [...CONDITIONS, "sequence", ...courseKeys(context.kind), ...outcomeKeys(context.kind)];
  refuseLooseSteps(tree, shape);
  const members = shape.members(tree, { what, allowed });
  const when = members.get("when");
  if (when && !context.matches) {
    throw shape.fault(when.at, "there are no arguments here that when: could match", "Leave when: out.");
  }
  const sequence = members.get("sequence");
  const turns = sequence ? readSequence(sequence, members, context) : [readTurn(tree, members, context)];
  const times = members.get("times");
  const count = times && shape.whole(times, "times", 1);
  if (times && count !== undefined && count < turns.length) {
    throw shape.fault(
      times.at,
      `times: ${count} is less than the sequence is long, so its end is never reached`,
    );
  }
  return {
    place: shape.place(tree.at),
    where: whereabouts(tree, shape),
    when: when && readMembers(when, "when", reading),
    requires: matcherAt(members, "requires", reading),
    client: readClient(members.get("client"), reading),
    times: count,
    turns,
  };
}

function readClient(tree: Tree | undefined, reading: Reading): Matcher | undefined {
  if (tree) checkClientNames(tree, reading.shape);
  return tree && readMembers(tree, "client", reading);
}

function matcherAt(members: Members, key: string, reading: Reading): Matcher | undefined {
  const tree = members.get(key);
  return tree && readMembers(tree, key, reading);
}

function readSequence(tree: Tree, members: Members, context: ReplyContext): readonly Turn[] {
  const { shape } = context.reading;
  const beside = [...members].find(
    ([key]) => key !== "sequence" && !(CONDITIONS as readonly string[]).includes(key),
  );
  if (beside) {
    throw shape.fault(
      beside[1].at,
      `${beside[0]}: stands beside sequence:`,
      "Move it into an item of the sequence.",
    );
  }
  const items = shape.list(tree, "sequence");
  if (items.length === 0) throw shape.fault(tree.at, "sequence: there is nothing in it");
  return items.map((item) => {
    const what = `an item of a sequence (${WHAT[context.kind]})`;
    refuseLooseSteps(item, shape);
    const own = shape.members(item, {
      what,
      allowed: [...courseKeys(context.kind), ...outcomeKeys(context.kind)],
    });
    return readTurn(item, own, context);
  });
}

/** What a reply does, of the members that say so. */
function readTurn(tree: Tree, members: Members, context: ReplyContext): Turn {
  const { reading } = context;
  const set = members.get("set");
  const following = members.get("replies");
  const steps = readSteps(members, reading);
  return {
    id: reading.newTurnId(),
    // What a function returns stands in no file.
    place: reading.verbatim ? undefined : reading.shape.place(tree.at),
    steps,
    set: set && templatedObject(set, "set", reading),
    task: isTask(members),
    outcome: following ? readFollowing(following, members, context) : readOutcome(tree, members, context),
  };
}

function readFollowing(tree: Tree, members: Members, context: ReplyContext): Turn["outcome"] {
  const { shape } = context.reading;
  const other = outcomeKeys(context.kind).find((key) => members.has(key));
  if (other !== undefined) {
    throw shape.fault(
      tree.at,
      `replies: and ${other}: both say what is answered`,
      "Move one into the other.",
    );
  }
  return { kind: "replies", replies: repliesIn(tree, { ...context, matches: true }) };
}

/** A turn as a function of a scenario returns it. */
function readReturned(tree: Tree, context: ReplyContext): Turn {
  const what = `what a handler returns for ${WHAT[context.kind]}`;
  const allowed = [
    ...courseKeys(context.kind),
    ...outcomeKeys(context.kind).filter((key) => key !== "handler"),
  ];
  const { shape } = context.reading;
  refuseLooseSteps(tree, shape);
  const members = shape.members(tree, { what, allowed });
  return readTurn(tree, members, context);
}
