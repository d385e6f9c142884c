import type { PartnerWords } from "./en.ts";

export const ar: PartnerWords = {
  title: "المكتبات الشريكة",
  none: "لم تتغير حالة أي معاملة في هذه الأيام.",
  again: "تحميل من جديد",
  firstOnly: (most, total) => `هذه ${most} من ${total} تغييرًا. اختر أيامًا أقل لترى الباقي.`,
  columns: {
    title: "العنوان",
    item: "النسخة",
    patron: "المستعير",
    role: "الدور",
    status: "الحالة",
    pickup: "الاستلام",
    lender: "المكتبة المعيرة",
  },
  filters: { title: "المرشحات", from: "من", to: "إلى", any: "الكل" },
  detail: {
    title: "معاملة",
    history: "حالاتها في هذه الأيام",
    next: "التالي",
    ended: "انتهت.",
    materialType: "نوع المادة",
    group: "مجموعة المستعير",
  },
  by: { desk: "من مكتبنا", hub: "من المركز" },
  cancel: {
    act: "إلغاء المعاملة",
    title: "أتلغي هذه المعاملة؟",
    what: "يُلغى طلب النسخة هنا ويُخبَر المركز. لا يمكن التراجع عن ذلك.",
    close: "إغلاق",
  },
  roles: {
    LENDER: "نحن نعير",
    BORROWER: "نحن نستعير",
    PICKUP: "غيرنا يستلم هنا",
    "BORROWING-PICKUP": "نحن نستعير والاستلام هنا",
  },
  statuses: {
    CREATED: "أُنشئت",
    OPEN: "مفتوحة",
    AWAITING_PICKUP: "في انتظار الاستلام",
    ITEM_CHECKED_OUT: "أُعيرت",
    ITEM_CHECKED_IN: "أُرجعت",
    CLOSED: "أُغلقت",
    CANCELLED: "أُلغيت",
  },
};
