import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { findSections } from "@/lib/services/knowledge/find-sections";

useServiceDatabase();

const GERMAN =
  "Das Gerät ist für die Werkstatt gedacht und es wird mit dem Koffer geliefert. Wie lange es dauert, ist auf der Rechnung zu lesen.";
const RUSSIAN =
  "Этот товар поставляется с чемоданом. Как долго идёт доставка, написано в счёте, и она может прийти в частях.";
const CHINESE = "本产品适用于车间工作，如何清洁工具在说明书中，交货时间在账单上注明，什么时候可以到达也在账单上。";
const JAPANESE = "この製品は作業場での作業用ですか、納期は請求書に記載されています。説明書はアプリにもありますか。";
const KOREAN = "이 제품은 작업장에서 사용합니다. 배송 기간은 청구서에 있습니다. 어떻게 청소하는지는 설명서에 있나요.";
const THAI = "สินค้านี้เหมาะสำหรับงานในโรงงาน เวลาจัดส่งอยู่ในใบแจ้งหนี้ ทำอย่างไรอยู่ในคู่มือ";
const ENGLISH = "The product is made for work in the shop. How long a delivery takes is said on the bill.";

describe("the section that answers a question", () => {
  it.each([
    [
      "German, in another ending",
      GERMAN,
      "Die Kündigungsfrist beträgt drei Monate.",
      "Welche Kündigungsfristen gibt es?",
    ],
    [
      "German, with its umlaut written out",
      GERMAN,
      "Die Kündigungsfrist beträgt drei Monate.",
      "Wie lange ist die Kuendigungsfrist?",
    ],
    [
      "Russian, in another case",
      RUSSIAN,
      "Гарантия на аккумулятор: два года.",
      "Сколько длятся гарантии аккумуляторов и как?",
    ],
    ["Chinese", CHINESE, "退款政策：三十天内可以申请全额退款。", "如何申请退款？"],
    ["Japanese", JAPANESE, "返品は三十日以内に限り全額返金いたします。", "返品したいのですが、返金されますか？"],
    ["Korean, with other particles", KOREAN, "환불을 원하시면 삼십 일 안에 신청하세요.", "환불은 어떻게 하나요?"],
    ["Thai", THAI, "ลูกค้าสามารถขอคืนเงินได้ภายในสามสิบวัน", "ขอคืนเงินอย่างไร"],
    [
      "English, in another ending, beside a name in signs",
      ENGLISH,
      "Refunds are paid back within a month.",
      "How does our customer 田中 get the product refunded that is on his bill?",
    ],
    ["a name in a Chinese question", CHINESE, "Webhook：在设置中添加地址。", "webhook是什么"],
    [
      "a number behind a hyphen",
      ENGLISH,
      "E-1042: the sensor is broken.",
      "What does 1042 on the bill of a delivery say?",
    ],
    [
      "a part of a name with slashes",
      ENGLISH,
      "deposits/returns are made at the desk.",
      "What about a deposit of the product?",
    ],
    [
      "a name with slashes in the question",
      ENGLISH,
      "Returns are made at the desk.",
      "Is products/returns on the bill?",
    ],
  ])("comes first in %s", async (_, filler, answer, question) => {
    const { projectId } = await createTestAccount();
    const sections = Array.from({ length: 60 }, (_, index) => `## ${index}\n\n${filler}`);
    sections[37] = `## 37\n\n${answer}`;
    const { id } = await createKnowledgeFile({ projectId }, { path: "a.md", content: sections.join("\n\n") });
    const [first] = await findSections(projectId, [id], question);
    expect(first?.content).toContain(answer);
  });

  it.each([
    ["Welche Gebühren gibt es?", "Die Mahngebühr beträgt fünf Euro."],
    ["Wie ist es mit den Hosen?", "Die Arbeitshosen sind grün."],
    ["Сколько длится доставка и как?", "Автодоставка: три дня."],
  ])("of %j is among the first two, though its word is the end of a longer one", async (question, answer) => {
    const { projectId } = await createTestAccount();
    const sections = Array.from({ length: 60 }, (_, index) => `## ${index}\n\n${GERMAN} Как это и на что.`);
    sections[37] = `## 37\n\n${answer}`;
    const { id } = await createKnowledgeFile({ projectId }, { path: "a.md", content: sections.join("\n\n") });
    const found = await findSections(projectId, [id], question);
    expect(found.slice(0, 2).map(({ content }) => content)).toContain(sections[37]);
  });

  it("comes first among a few, in another ending", async () => {
    const { projectId } = await createTestAccount();
    const answer = "Die Kündigungsfrist beträgt drei Monate.";
    const content = `## A\n\n${GERMAN}\n\n## B\n\n${answer}\n\n## C\n\n${GERMAN}`;
    const { id } = await createKnowledgeFile({ projectId }, { path: "a.md", content });
    const [first] = await findSections(projectId, [id], "Wie lange ist es mit Kündigungsfristen?");
    expect(first?.content).toContain(answer);
  });

  it.each([
    ["How can I contact you?", "You can contact us by mail.", "## Containers\n\nOur containers come in three sizes."],
    ["Is it paid by card?", "We take a card or cash.", "## Cardiology\n\nThe cardiologist is here on Mondays."],
    ["Do you take part orders?", "We deliver in parts.", "## Partners\n\nOur partners and their partnership."],
  ])("of %j comes before headings with words that only begin alike", async (question, answer, other) => {
    const { projectId } = await createTestAccount();
    const filler = Array.from({ length: 12 }, (_, index) => `## ${index}\n\n${ENGLISH}`).join("\n\n");
    const content = `${other}\n\n${filler}\n\n## Help\n\n${answer}`;
    const { id } = await createKnowledgeFile({ projectId }, { path: "a.md", content });
    const [first] = await findSections(projectId, [id], question);
    expect(first?.content).toContain(answer);
  });

  it("is among the first two though a long template stands around the question", async () => {
    const { projectId } = await createTestAccount();
    const rules =
      "Und antworte immer höflich, wie es die Kunden gewohnt sind, ist das nicht möglich, so sage es ihnen ";
    const template = Array.from(
      { length: 40 },
      (_, index) => `${rules} regel${index} hinweis${index} vorgabe${index}.`,
    );
    const sections = Array.from({ length: 120 }, (_, index) => `## ${index}\n\n${GERMAN} ${rules}`);
    sections[77] = "## 77\n\nNach Österreich kostet es 9,90.";
    const { id } = await createKnowledgeFile({ projectId }, { path: "a.md", content: sections.join("\n\n") });
    for (const question of [
      ["Was kostet es nach Österreich?", ...template],
      [...template, "Und nach Österreich?"],
    ]) {
      const found = await findSections(projectId, [id], question.join(" "));
      expect(found.slice(0, 2).map(({ content }) => content)).toContain(sections[77]);
    }
  });

  it("is among the first where only what was asked before says of what, and comes first where something else is asked", async () => {
    const { projectId } = await createTestAccount();
    const models = Array.from({ length: 60 }, (_, index) => `## Modell B${index}\n\nDer B${index} wiegt ${index} kg.`);
    const content = `${models.join("\n\n")}\n\n## Frist\n\nDie Kündigungsfrist beträgt drei Monate.`;
    const { id } = await createKnowledgeFile({ projectId }, { path: "a.md", content });
    const asked = async (question: string) => {
      const found = await findSections(projectId, [id], question, "Erzählen Sie mir vom B37, bitte.");
      return found.slice(0, 3).map(({ content }) => content);
    };
    expect(await asked("Und wie viel wiegt er?")).toContain(models[37]);
    expect((await asked("Welche Kündigungsfrist gibt es?"))[0]).toContain("drei Monate");
  });

  it("comes before what answers but what stood beside the question, also where another answers better", async () => {
    const { projectId } = await createTestAccount();
    const texts = ["Returns take thirty days.", "Returns need the box.", "Helicopters are loud."];
    const ids: string[] = [];
    for (const [index, content] of texts.entries()) {
      ids.push((await createKnowledgeFile({ projectId }, { path: `${index}.md`, content })).id);
    }
    const found = await findSections(projectId, ids, "Returns in thirty days?", "Helicopters");
    expect(found.map(({ content }) => content.trim())).toEqual(texts);
  });

  it("is what is asked of a thing, however long its name in other letters is", async () => {
    const { projectId } = await createTestAccount();
    const about = ["价格为三千元", "颜色有黑色和白色", "整机免费保修一年", "配件包括充电线", "防水深度为五十米"];
    const content = about.map((text, index) => `## ${index}\n\nApple Watch Series 9 GPS 的${text}。`).join("\n\n");
    const { id } = await createKnowledgeFile({ projectId }, { path: "a.md", content });
    const [first] = await findSections(projectId, [id], "Apple Watch Series 9 GPS 保修");
    expect(first?.content).toContain("保修");
  });

  it("comes first by a rare pair of signs, though others have more of the common ones", async () => {
    const { projectId } = await createTestAccount();
    const sections = Array.from({ length: 60 }, (_, index) => `## ${index}\n\n如何申请、申请什么、如何付款。`);
    sections[37] = "## 37\n\n退税请见此处。";
    const { id } = await createKnowledgeFile({ projectId }, { path: "a.md", content: sections.join("\n\n") });
    const [first] = await findSections(projectId, [id], "如何申请退税");
    expect(first?.content).toContain("退税");
  });
});
