import type { Message } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import { paramsOf } from "../replay/key.ts";
import type { Between, ClientSession, DoorSide, Live } from "../replay/playing.ts";
import { Aim } from "./aim.ts";
import { FaultySession } from "./faulty-session.ts";
import { FaultNote } from "./note.ts";
import { aimWords, type FaultPlan, type PlacedDeed } from "./plan.ts";
import type { Strike } from "./strike.ts";
import { impossibleWords, type Showing } from "./suits.ts";

interface Laid {
  readonly aim: Aim;
  readonly afterEvents: number;
  readonly deeds: readonly { readonly deed: PlacedDeed; readonly note: FaultNote }[];
}

/** The faults that lie over one player, and what became of them. */
export class Faults implements Between {
  readonly #laid: readonly Laid[];
  readonly #told = new Set<string>();

  /** @param plans laid one over the other, the last on top */
  constructor(...plans: readonly FaultPlan[]) {
    const all = plans.flatMap(({ seed, faults }) => faults.map((fault) => ({ seed, fault })));
    this.#laid = all.map(({ seed, fault }, index) => ({
      aim: new Aim(fault, [seed, index]),
      afterEvents: fault.on.afterEvents,
      deeds: fault.deeds.map((deed) => ({
        deed,
        note: new FaultNote(`${aimWords(fault.on)}: ${deed.words}`, deed.place),
      })),
    }));
  }

  get faults(): readonly FaultNote[] {
    return this.#laid.flatMap(({ deeds }) => deeds.map(({ note }) => note));
  }

  connect(live: Live, open: (door: DoorSide) => ClientSession): ClientSession {
    return new FaultySession({ strikesOf: (request) => this.#strikesOf(request, live), live, open });
  }

  /** What strikes a request, which counts. */
  #strikesOf(request: Message, { door, visitors, player }: Live): readonly Strike[] {
    const target = { method: request.method, params: () => paramsOf(request) };
    const label = () => labelOf(request.method ?? "", paramsOf(request));
    return this.#laid.flatMap(({ aim, afterEvents, deeds }) => {
      const count = aim.strikes(target, visitors);
      if (count === undefined) return [];
      const { carrier } = door;
      if (carrier === undefined)
        throw new Error("a door that faults are laid over says how it carries messages");
      const showing = { carrier, recording: player.recording };
      return deeds
        .filter(({ deed }) => !this.#cannot(deed, showing, player.options.onNotice))
        .map(({ deed, note }) => ({
          deed,
          afterEvents,
          struck: () => note.strike(label()),
          draw: (nth: number) => aim.draw(count, nth),
        }));
    });
  }

  /** A client came another way than was foreseen. It is told once for each fault and way. */
  #cannot(deed: PlacedDeed, showing: Showing, tell: ((notice: string) => void) | undefined): boolean {
    const words = impossibleWords(deed, showing);
    if (!words) return false;
    const { file, line, column } = deed.place;
    const notice = `${file}:${line}:${column}: ${words[0]}, so a client there is answered without it. ${words[1]}`;
    if (!this.#told.has(notice)) tell?.(notice);
    this.#told.add(notice);
    return true;
  }
}
