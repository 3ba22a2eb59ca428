function a(){}a()
//# sourceMappingURL=../maps/url.map
